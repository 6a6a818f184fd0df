import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resolveBranch, tips } from '../../src/index.ts'
import { commit, testGit } from '../../src/testing/index.ts'
import { at, change, clone, host, member, openServed, person, repository, session } from './served.ts'

await openServed()

describe('pushing', () => {
  test('without rules nothing is pushed', async () => {
    const path = await clone()
    await change(path)
    await expect(at(path, 'push', 'origin', 'HEAD:new')).rejects.toThrow(
      'may read the repository but not push',
    )
    host.rules = { ...person, read_only: true }
    await expect(at(path, 'push', 'origin', 'HEAD:new')).rejects.toThrow(
      'may read the repository but not push',
    )
    expect([...(await tips(repository)).keys()]).toEqual(['main'])
  })

  test('a person who may, forward only', async () => {
    host.rules = person
    const path = await clone()
    const first = await at(path, 'rev-parse', 'HEAD')
    const tip = await change(path)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:main')
    expect(await resolveBranch(repository, 'main')).toBe(tip)
    await at(path, 'reset', '--quiet', '--hard', first)
    await change(path)
    await expect(at(path, 'push', '--force', 'origin', 'HEAD:main')).rejects.toThrow('cannot be rewritten')
    await expect(at(path, 'push', 'origin', ':main')).rejects.toThrow('deletion of the current branch')
    expect(await resolveBranch(repository, 'main')).toBe(tip)
  })

  test('a default branch that HEAD does not name is as safe', async () => {
    await commit(repository, 'release', { r: 'r' }, 'R', { from: 'main' })
    host.rules = { ...person, default_branch: 'release' }
    const path = await clone()
    await expect(at(path, 'push', 'origin', ':release')).rejects.toThrow('cannot be deleted')
    await change(path)
    await expect(at(path, 'push', '--force', 'origin', 'HEAD:release')).rejects.toThrow('cannot be rewritten')
  })

  test('others are shown the way', async () => {
    host.rules = member
    const path = await clone()
    const before = await resolveBranch(repository, 'main')
    const tip = await change(path)
    await expect(at(path, 'push', 'origin', 'HEAD:main')).rejects.toThrow(
      /git push origin HEAD:<branch>\s+remote: +svc cr open --title "<what it does>" --head <branch>/,
    )
    expect(await resolveBranch(repository, 'main')).toBe(before)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:feature/x')
    await at(path, 'push', '--quiet', 'origin', 'HEAD:refs/tags/v1')
    expect(await resolveBranch(repository, 'feature/x')).toBe(tip)
    await at(path, 'commit', '--quiet', '--amend', '-m', 'Again')
    await at(path, 'push', '--quiet', '--force', 'origin', 'HEAD:feature/x')
    await at(path, 'push', '--quiet', 'origin', ':feature/x')
    expect(await resolveBranch(repository, 'feature/x')).toBeNull()
  })

  test('a session writes its own branch and nothing else', async () => {
    host.rules = session
    const path = await clone()
    const tip = await change(path)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:session')
    expect(await resolveBranch(repository, 'session')).toBe(tip)
    await at(path, 'commit', '--quiet', '--amend', '-m', 'Again')
    await at(path, 'push', '--quiet', '--force', 'origin', 'HEAD:session')
    for (const [ref, message] of [
      ['HEAD:main', 'moves only by change requests'],
      ['HEAD:main', /git push origin HEAD:session\s+remote: +svc cr open --title "<what it does>"\s*\n/],
      ['HEAD:other', 'git push origin HEAD:session'],
      ['HEAD:session2', 'only its own branch'],
      ['HEAD:refs/tags/v1', 'cannot push tags, only its own branch: git push origin HEAD:session'],
      ['HEAD:refs/notes/x', 'neither a branch nor a tag'],
      ['HEAD:refs/svc/x', 'hidden ref'],
      [':session', 'may not delete'],
      [':main', 'deletion of the current branch'],
    ] as const) {
      await expect(at(path, 'push', '--force', 'origin', ref)).rejects.toThrow(message)
    }
    expect([...(await tips(repository)).keys()]).toEqual(['main', 'session'])
  })

  test('one push of several refs is judged ref by ref', async () => {
    host.rules = member
    const path = await clone()
    const tip = await change(path)
    await expect(at(path, 'push', 'origin', 'HEAD:main', 'HEAD:fine')).rejects.toThrow('change requests')
    expect(await resolveBranch(repository, 'fine')).toBe(tip)
    await expect(at(path, 'push', '--atomic', 'origin', 'HEAD:main', 'HEAD:both')).rejects.toThrow()
    expect(await resolveBranch(repository, 'both')).toBeNull()
  })

  test('odd branch names do not confuse the policy', async () => {
    host.rules = { ...session, only_branch: 'a b' }
    const path = await clone()
    await change(path)
    for (const ref of ["it's", '$(touch${IFS}x)', 'main;x', 'ma*n', '`id`']) {
      const push = at(path, 'push', 'origin', `HEAD:refs/heads/${ref}`)
      await expect(push).rejects.toThrow()
    }
    expect([...(await tips(repository)).keys()]).toEqual(['main'])
  })

  test('a push over the size limit is refused', async () => {
    host.rules = member
    host.max_push_bytes = 100_000
    const path = await clone()
    await change(path, 'big.bin', randomBytes(400_000).toString('latin1'))
    await expect(at(path, 'push', 'origin', 'HEAD:big')).rejects.toThrow()
    expect(await resolveBranch(repository, 'big')).toBeNull()
    await at(path, 'reset', '--quiet', '--hard', 'HEAD~1')
    const tip = await change(path)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:small')
    expect(await resolveBranch(repository, 'small')).toBe(tip)
  })

  test('a malformed object is refused', async () => {
    host.rules = member
    const path = await clone()
    const blob = await testGit(['-C', path, 'hash-object', '-w', '--stdin'], { input: 'x' })
    const entry = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    const tree = await testGit(['-C', path, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      input: entry,
    })
    const bad = await at(path, 'commit-tree', tree, '-m', 'Bad')
    await expect(at(path, 'push', 'origin', `${bad}:refs/heads/bad`)).rejects.toThrow(/hasDotgit|fsck/)
    expect(await resolveBranch(repository, 'bad')).toBeNull()
  })
})
