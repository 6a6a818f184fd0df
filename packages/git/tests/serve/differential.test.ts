import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commit, type GitServer, makeRepository, startGitServer, testGit } from '../../src/testing/index.ts'
import { testRunner } from '../../src/testing/test-git.ts'
import { type ManagedServer, startManagedServer } from './managed-server.ts'
import { lines, storage } from '../storage.ts'

/** One repository served twice: by this package, and by git's own `git http-backend`. */
interface Side {
  readonly name: string
  readonly url: string
  readonly git_dir: string
}

const { managed, repositories } = await storage()
let folder: string
let ours: ManagedServer
let theirs: GitServer
let sides: readonly [Side, Side]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-differential-'))
  theirs = await startGitServer({ root: folder })
})
afterAll(async () => {
  await ours?.close()
  await theirs.close()
  await rm(folder, { recursive: true, force: true })
})

/** The rules of the managed origin, set for the other one in its own configuration. */
const sameRules = [
  ['transfer.fsckObjects', 'true'],
  ['receive.denyDeleteCurrent', 'refuse'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['transfer.hideRefs', 'refs/svc'],
] as const

async function serveTwice(): Promise<void> {
  const name = `${randomUUID()}.git`
  const peer = await makeRepository({ git_dir: join(folder, name), files: { 'a.txt': lines(100) } })
  for (let index = 0; index < 12; index += 1)
    await commit(peer, 'main', { [`dir/f${index}`]: lines(index + 1) })
  await commit(peer, 'feature/ünï', { 'b.bin': randomBytes(40_000) }, 'Feature', { from: 'main' })
  await commit(peer, 'alien', { z: 'z' }, 'Alien', { orphan: true })
  await peer.git('tag', 'light', 'main')
  await peer.git('tag', '-a', '-m', 'Annotated', 'v1', 'feature/ünï')
  for (const [key, value] of sameRules) await peer.git('config', key, value)
  const made = await managed()
  await testGit(['fetch', '--quiet', peer.git_dir, '+refs/*:refs/*'], { git_dir: made.git_dir })
  for (const { git_dir } of [peer, made])
    await testGit(['update-ref', 'refs/svc/hidden', 'main'], { git_dir })
  await ours?.close()
  ours = await startManagedServer(repositories, made.project_id)
  ours.rules = {
    default_branch: 'none',
    default_allowed: true,
    only_branch: null,
    delete_allowed: true,
    read_only: false,
  }
  sides = [
    { name: 'ours', url: ours.url, git_dir: made.git_dir },
    { name: 'theirs', url: theirs.url(name), git_dir: peer.git_dir },
  ]
}

const at = (path: string, ...args: string[]) => testGit(['-C', path, ...args])

/** Refs and every object, present or known to be missing. */
async function stateOf(path: string): Promise<string> {
  const list = (await testRunner.run(['-C', path, 'rev-list', '--objects', '--all', '--missing=print']))
    .stdout
  const objects = list
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' ')[0])
    .sort()
  return [await at(path, 'for-each-ref', '--format=%(refname) %(objectname)'), ...objects].join('\n')
}

const both = <T>(work: (side: Side) => Promise<T>) => Promise.all(sides.map(work))

describe.each([0, 2])('protocol version %i', (version) => {
  const protocol = ['-c', `protocol.version=${version}`]
  beforeAll(serveTwice)

  test.each([
    ['whole', []],
    ['bare', ['--bare']],
    ['mirror', ['--mirror']],
    ['shallow', ['--depth=3']],
    ['shallow, every branch', ['--depth=2', '--no-single-branch']],
    ['shallow since', ['--shallow-since=2023-11-14T22:13:30Z']],
    ['single branch', ['--single-branch', '--branch=feature/ünï']],
    ['a tag', ['--branch=v1']],
    ['without tags', ['--no-tags']],
    ['without blobs', ['--filter=blob:none', '--no-checkout']],
    ['without large blobs', ['--filter=blob:limit=1k', '--bare']],
    ['without trees', ['--filter=tree:0', '--bare']],
  ])('a clone: %s', async (_, flags) => {
    const [a, b] = await both(async ({ url }) => {
      const path = join(folder, randomUUID())
      await testGit([...protocol, 'clone', '--quiet', ...flags, url, path])
      return stateOf(path)
    })
    expect(a).toBe(b)
    expect(a).toMatch(/refs\//)
  })

  test('a listing, with what is hidden', async () => {
    const [a, b] = await both(({ url }) => testGit([...protocol, 'ls-remote', '--symref', url]))
    expect(a).toBe(b)
    expect(a).not.toContain('refs/svc')
  })

  test('a shallow clone is deepened, then made whole', async () => {
    const [a, b] = await both(async ({ url }) => {
      const path = join(folder, randomUUID())
      await testGit([...protocol, 'clone', '--quiet', '--depth=1', url, path])
      const states = [await stateOf(path)]
      await at(path, ...protocol, 'fetch', '--quiet', '--deepen=4')
      states.push(await stateOf(path))
      await at(path, ...protocol, 'fetch', '--quiet', '--unshallow')
      return [...states, await stateOf(path)]
    })
    expect(a).toEqual(b)
    expect(new Set(a).size).toBe(3)
  })

  test('a fetch of one commit by its SHA, and of one that is not there', async () => {
    const sha = await testGit(['rev-parse', 'main~5'], { git_dir: sides[0].git_dir })
    const [a, b] = await both(async ({ url }) => {
      const path = join(folder, randomUUID())
      await testGit(['init', '--quiet', path])
      await at(path, ...protocol, 'fetch', '--quiet', '--depth=1', url, sha)
      const fetched = await at(path, 'rev-parse', 'FETCH_HEAD')
      const missing = await at(path, ...protocol, 'fetch', '--quiet', url, 'f'.repeat(40)).catch(failure)
      return [fetched, missing.includes('not our ref')]
    })
    expect(a).toEqual(b)
    expect(a).toEqual([sha, true])
  })

  test('pushes: the same refs, the same objects, the same refusals', async () => {
    const work = join(folder, randomUUID())
    await testGit(['clone', '--quiet', sides[1].git_dir, work])
    const change = async (file: string, content: string | Buffer) => {
      await writeFile(join(work, file), content)
      await at(work, 'add', '--all')
      await at(work, 'commit', '--quiet', '-m', file)
    }
    const entry = Buffer.concat([
      Buffer.from('100644 .git\0'),
      Buffer.from(await testGit(['-C', work, 'hash-object', '-w', '--stdin'], { input: 'x' }), 'hex'),
    ])
    const literally = ['-C', work, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin']
    const bad = await at(work, 'commit-tree', await testGit(literally, { input: entry }), '-m', 'Bad')

    const pushes: readonly (readonly [what: string, flags: string[], prepare?: () => Promise<unknown>])[] = [
      ['a new branch', ['HEAD:refs/heads/new'], () => change('new', 'new')],
      ['an update', ['HEAD:main'], () => change('update', 'update')],
      ['large and chunked', ['HEAD:main'], () => change('large', randomBytes(3_000_000))],
      ['a rewind that is not forced', ['HEAD~2:main']],
      ['a rewind that is', ['--force', 'HEAD~2:main']],
      ['forward again', ['HEAD:main']],
      ['a lease that holds', ['--force-with-lease=new:HEAD~2', 'HEAD:new']],
      ['a lease that does not hold', ['--force-with-lease=new:HEAD~3', 'HEAD~1:new']],
      ['tags', ['--tags'], () => at(work, 'tag', '-a', '-m', 'Two', 'v2')],
      ['a tag that moves', ['HEAD:refs/tags/v1']],
      ['several at once', ['HEAD:refs/heads/one', 'HEAD~1:refs/heads/two', 'HEAD~2:refs/tags/three']],
      ['all or nothing, of which one is refused', ['--atomic', 'HEAD~3:one', 'HEAD:refs/heads/four']],
      ['a branch below a branch', ['HEAD:refs/heads/one/below']],
      ['a deletion', [':two']],
      ['a deletion of what is not there', [':nowhere']],
      ['a deletion of the current branch', [':main']],
      ['a hidden ref', ['HEAD:refs/svc/mine']],
      ['a tree with .git in it', [`${bad}:refs/heads/bad`]],
      ['a branch that is no commit', ['HEAD^{tree}:refs/heads/tree']],
      ['nothing new', ['HEAD:main']],
    ]
    const refused: string[] = []
    for (const [what, flags, prepare] of pushes) {
      await prepare?.()
      const [a, b] = await both(async ({ url, git_dir }) => {
        const args = [
          ...protocol,
          '-c',
          'http.postBuffer=65536',
          '-C',
          work,
          'push',
          '--porcelain',
          url,
          ...flags,
        ]
        const { exit_code, stdout } = await testRunner.run(args)
        const said = stdout.toString('utf8').replaceAll(url, 'URL')
        return { what, exit_code, said, state: await stateOf(git_dir) }
      })
      expect(a).toEqual(b)
      if (a?.exit_code !== 0) refused.push(what)
    }
    expect(refused).toEqual([
      'a rewind that is not forced',
      'a lease that does not hold',
      'a tag that moves',
      'all or nothing, of which one is refused',
      'a branch below a branch',
      'a deletion of what is not there',
      'a deletion of the current branch',
      'a hidden ref',
      'a tree with .git in it',
      'a branch that is no commit',
    ])
    for (const { git_dir } of sides) await testGit(['fsck', '--strict'], { git_dir })
  })
})

const failure = (error: unknown): string => String(error)
