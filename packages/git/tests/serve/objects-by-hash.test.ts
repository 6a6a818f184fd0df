import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { resolveBranch } from '../../src/index.ts'
import { commit, testGit } from '../../src/testing/index.ts'
import { at, clone, folder, host, openServed, person, repository, session } from './served.ts'

await openServed()

describe('objects by their hash', () => {
  const session_id = randomUUID()
  const git_dir = () => ({ git_dir: repository.git_dir })
  let checkpoint: string
  let dropped: string
  let blob: string

  /** As a sandbox leaves it: a commit on top of the branch, on a hidden ref; and one whose ref has gone. */
  beforeEach(async () => {
    await commit(repository, 'work', { 'hidden.txt': 'dropped' })
    dropped = await testGit(['rev-parse', 'work'], git_dir())
    await commit(repository, 'work', { 'hidden.txt': 'in progress' })
    checkpoint = await testGit(['rev-parse', 'work'], git_dir())
    blob = await testGit(['rev-parse', 'work:hidden.txt'], git_dir())
    await testGit(['update-ref', `refs/svc/checkpoints/${session_id}/1`, checkpoint], git_dir())
    await testGit(['update-ref', '-d', 'refs/heads/work'], git_dir())
    await testGit(['update-ref', '-d', `refs/svc/checkpoints/${session_id}/0`], git_dir())
  })
  const fetchOf = (id: string) => `0012command=fetch\n0001000fno-progress0032want ${id}\n0009done\n0000`
  const empty = async (version: number) => {
    const path = join(folder, randomUUID())
    await testGit(['init', '--quiet', path])
    await at(path, 'config', 'protocol.version', String(version))
    await at(path, 'config', 'remote.origin.url', host.url)
    return path
  }

  test.each([0, 1, 2])(
    'of hidden refs and of none are refused by version %i, tips and what they reach are not',
    async (version) => {
      const path = await empty(version)
      for (const id of [checkpoint, dropped, blob])
        await expect(at(path, 'fetch', '--quiet', 'origin', id), id).rejects.toThrow(`not our ref ${id}`)
      const main = await resolveBranch(repository, 'main')
      await commit(repository, 'main', { 'a.txt': 'later' })
      await at(path, 'fetch', '--quiet', 'origin', main ?? '')
      expect(host.failures).toEqual([])
    },
  )

  test('are refused also when somebody who sees them has fetched them before', async () => {
    host.rules = { ...session, checkpoints_of: session_id }
    await at(await empty(2), 'fetch', '--quiet', 'origin', checkpoint)
    await at(await empty(2), 'fetch', '--quiet', 'origin', `refs/svc/checkpoints/${session_id}/1`)
    for (const rules of [person, { ...session, checkpoints_of: randomUUID() }]) {
      host.rules = rules
      const refused = at(await empty(2), 'fetch', '--quiet', 'origin', checkpoint)
      await expect(refused).rejects.toThrow('not our ref')
    }
  })

  test.each([
    ['in capitals', (id: string) => ['version=2', fetchOf(id.toUpperCase())]],
    ['before something that nobody can read', (id: string) => ['version=2', `${fetchOf(id)}zzzz`]],
    ['with a version that nobody names so', (id: string) => ['version=2:x', fetchOf(id)]],
    ['in capitals by an older client', (id: string) => ['', `0032want ${id.toUpperCase()}\n00000009done\n`]],
  ])('are refused %s', async (_, request) => {
    for (const id of [checkpoint, dropped]) {
      const [protocol = '', body = ''] = request(id)
      const answer = await fetch(`${host.url}/git-upload-pack`, {
        method: 'POST',
        body,
        headers: protocol === '' ? {} : { 'git-protocol': protocol },
      })
      const said = await answer.text()
      expect(said).toContain('not our ref')
      expect(said).not.toContain('PACK')
    }
  })

  test('are refused in a request that is too long to be held', async () => {
    const haves = Array.from({ length: 30_000 }, () => `0032have ${randomBytes(20).toString('hex')}\n`)
    const v2 = `0012command=fetch\n0001000fno-progress${haves.join('')}0032want ${checkpoint}\n0009done\n0000`
    const main = await resolveBranch(repository, 'main')
    for (const [body, words] of [
      [v2, 'not our ref'],
      [v2.replace(checkpoint, main ?? ''), 'PACK'],
    ] as const) {
      const answer = await fetch(`${host.url}/git-upload-pack`, {
        method: 'POST',
        body,
        headers: { 'git-protocol': 'version=2' },
      })
      expect(await answer.text()).toContain(words)
    }
  })

  test('that only old commits have are given to a partial clone', async () => {
    await commit(repository, 'main', { 'old.txt': 'of long ago', 'sub/deep.txt': 'deep' })
    const old = await resolveBranch(repository, 'main')
    await testGit(
      ['update-ref', 'refs/heads/main', await commit(repository, 'main', { 'old.txt': 'of now' })],
      git_dir(),
    )
    await commit(repository, 'main', { 'old.txt': 'of today', 'sub/deep.txt': 'deeper' })
    for (const filter of ['blob:none', 'tree:0']) {
      const path = await clone(`--filter=${filter}`, '--no-checkout')
      expect(await at(path, 'show', `${old}:old.txt`)).toBe('of long ago')
      expect(await at(path, 'show', `${old}:sub/deep.txt`)).toBe('deep')
      await at(path, 'checkout', '--quiet', 'main')
    }
  })
})
