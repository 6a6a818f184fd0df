import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PushRules, type Repository, resolveBranch, serveGit, tips } from '../src/index.ts'
import { commit, testGit } from '../src/testing/index.ts'
import { type ManagedServer, startManagedServer } from './managed-server.ts'
import { lines, storage } from './storage.ts'

const { managed, repositories } = await storage()
const person: PushRules = {
  default_branch: 'main',
  default_allowed: true,
  only_branch: null,
  delete_allowed: true,
  read_only: false,
}
const member: PushRules = { ...person, default_allowed: false }
const session: PushRules = { ...member, only_branch: 'session', delete_allowed: false }

let folder: string
let repository: Repository
let host: ManagedServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-clones-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  const made = await managed()
  repository = made
  await commit(repository, 'main', { 'a.txt': lines(100) }, 'First')
  await host?.close()
  host = await startManagedServer(repositories, made.project_id)
})
afterAll(() => host.close())

async function clone(...flags: string[]): Promise<string> {
  const path = join(folder, randomUUID())
  await testGit(['clone', '--quiet', ...flags, host.url, path])
  return path
}

const at = (path: string, ...args: string[]) => testGit(['-C', path, ...args])

async function change(path: string, file = 'change.txt', content: string = randomUUID()): Promise<string> {
  await writeFile(join(path, file), content)
  await at(path, 'add', '--all')
  await at(path, 'commit', '--quiet', '-m', 'Change')
  return at(path, 'rev-parse', 'HEAD')
}

describe('reading', () => {
  test('version 2 is advertised as git does it, and without git from the second time on', async () => {
    const flags = ['--stateless-rpc', '--http-backend-info-refs', repository.git_dir]
    const env = { GIT_PROTOCOL: 'version=2' }
    const { stdout } = await repository.runner.run(['upload-pack', ...flags], { env })
    const advertise = async (): Promise<Buffer> => {
      const [input, output] = [new PassThrough(), new PassThrough()]
      const asked = { service: 'git-upload-pack', advertise: true, git_protocol: 'version=2' } as const
      await serveGit(repository, { ...asked, input, output })
      return Buffer.concat(await output.end().toArray())
    }
    expect(stdout.toString()).toContain('ls-refs')
    expect(await advertise()).toEqual(stdout)
    const run = () => Promise.reject(new Error('git was started'))
    const again = { git_dir: repository.git_dir, signal: undefined, runner: { run } }
    expect(await repository.capabilities.of(again)).toEqual(stdout)
    await testGit(['config', 'uploadpack.allowFilter', 'false'], { git_dir: repository.git_dir })
    expect((await advertise()).toString()).not.toContain('filter')
  })

  test.each([0, 1, 2])('clone and fetch by protocol version %i', async (version) => {
    const path = await clone('-c', `protocol.version=${version}`)
    expect(await at(path, 'rev-parse', 'HEAD')).toBe(await resolveBranch(repository, 'main'))
    const tip = await commit(repository, 'main', { 'b.txt': 'b' })
    await at(path, 'fetch', '--quiet')
    expect(await at(path, 'rev-parse', 'origin/main')).toBe(tip)
  })

  test.each([0, 2])('a partial clone by version %i fetches what it lacks later', async (version) => {
    const path = await clone('-c', `protocol.version=${version}`, '--filter=blob:none', '--no-checkout')
    expect(await at(path, 'rev-list', '--objects', '--missing=print', '--all')).toContain('?')
    expect(await at(path, 'show', 'HEAD:a.txt')).toBe(lines(100).trim())
  })

  test('a shallow clone', async () => {
    await commit(repository, 'main', { 'b.txt': 'b' })
    const path = await clone('--depth=1')
    expect(await at(path, 'rev-list', '--count', 'HEAD')).toBe('1')
  })

  test('an empty repository can be cloned and pushed to', async () => {
    const empty = await managed()
    await host.close()
    host = await startManagedServer(repositories, empty.project_id)
    host.rules = person
    const path = await clone()
    await at(path, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    const tip = await change(path)
    await at(path, 'push', '--quiet', 'origin', 'HEAD:main')
    expect(await resolveBranch(empty, 'main')).toBe(tip)
  })

  test('internal refs are hidden', async () => {
    await testGit(['update-ref', 'refs/svc/plan', 'refs/heads/main'], { git_dir: repository.git_dir })
    expect(await testGit(['ls-remote', host.url])).not.toContain('refs/svc')
  })

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
      [
        'in capitals by an older client',
        (id: string) => ['', `0032want ${id.toUpperCase()}\n00000009done\n`],
      ],
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

  test('a compressed request is understood', async () => {
    const tip = await testGit(['rev-parse', 'main'], { git_dir: repository.git_dir })
    const body = Buffer.from(`0032want ${tip}\n00000009done\n`)
    const request = (data: Buffer, headers: Record<string, string>) =>
      fetch(`${host.url}/git-upload-pack`, { method: 'POST', body: new Uint8Array(data), headers })
    const [plain, packed] = await Promise.all([
      request(body, {}).then((response) => response.text()),
      request(gzipSync(body), { 'content-encoding': 'gzip' }).then((response) => response.text()),
    ])
    expect(plain).toContain('PACK')
    expect(packed).toContain('PACK')
  })

  test('a signal ends the exchange and git', async () => {
    const controller = new AbortController()
    const input = new PassThrough()
    const output = new PassThrough()
    const serving = serveGit(
      { ...repository, signal: controller.signal },
      { service: 'git-upload-pack', advertise: false, input, output },
    )
    const outcome = expect(serving).rejects.toThrow('deadline')
    await expect.poll(() => running(repository.git_dir)).not.toBe('')
    controller.abort(new Error('deadline'))
    await outcome
    expect(await running(repository.git_dir)).toBe('')
  })

  test('a client that leaves takes git with it', async () => {
    const socket = createConnection(Number(new URL(host.url).port), '127.0.0.1')
    const path = new URL(host.url).pathname
    socket.write(
      `POST ${path}/git-upload-pack HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n4\r\n0032\r\n`,
    )
    await expect.poll(() => running(repository.git_dir)).not.toBe('')
    socket.destroy()
    await expect.poll(() => running(repository.git_dir)).toBe('')
  })
})

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

async function running(text: string): Promise<string> {
  const stdout = await new Promise<string>((resolve, reject) =>
    execFile('ps', ['-eo', 'stat,args'], (error, out) => (error ? reject(error) : resolve(out))),
  )
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'))
    .join('\n')
}
