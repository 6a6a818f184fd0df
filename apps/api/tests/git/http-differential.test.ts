import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { commit, type GitServer, makeRepository, startGitServer, testGit } from '@svc/git/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

/** One repository served twice: by the API, and by git's own `git http-backend`. */
interface Side {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const { platform, api } = await openWorld()
let backend: GitServer
let folder: string
let sides: readonly [Side, Side]

/** The rules of the managed origin, set for the other one in its own configuration. */
const sameRules = [
  ['transfer.fsckObjects', 'true'],
  ['receive.denyDeleteCurrent', 'refuse'],
  ['receive.denyNonFastForwards', 'false'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
] as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-api-differential-'))
  backend = await startGitServer({ root: folder })
})
afterAll(async () => {
  await backend?.close()
  await rm(folder, { recursive: true, force: true })
})

async function serveTwice(): Promise<void> {
  const name = `${randomUUID()}.git`
  const peer = await makeRepository({ git_dir: join(folder, name), files: { 'a.txt': 'a\n'.repeat(500) } })
  for (let index = 0; index < 6; index += 1) await commit(peer, 'main', { [`dir/f${index}`]: `${index}\n` })
  await commit(peer, 'feature/ünï', { 'b.bin': randomBytes(40_000) }, 'Feature', { from: 'main' })
  await peer.git('tag', '-a', '-m', 'Annotated', 'v1', 'feature/ünï')
  for (const [key, value] of sameRules) await peer.git('config', key, value)

  const json = { name, seed_starter: false }
  const provision = { method: 'POST', token: platform.owner.token, json }
  const project_id = (await platform.call('/v1/projects/provision', provision)).pick('project_id')
  const authorization = `Bearer ${platform.owner.token}`
  const ours = { url: `${api.origin}/v1/git/${project_id}.git`, headers: { authorization } }
  sides = [ours, { url: backend.url(name), headers: {} }]
  await testGit([...as(ours), 'push', '--quiet', ours.url, 'main', 'feature/ünï', 'v1'], {
    git_dir: peer.git_dir,
  })
}

const as = ({ headers }: Side): string[] =>
  Object.entries(headers).flatMap(([name, value]) => ['-c', `http.extraHeader=${name}: ${value}`])

const both = <T>(work: (side: Side) => Promise<T>) => Promise.all(sides.map(work))

/** Every ref with its object, and every object, present or known to be missing. */
async function stateOf(path: string): Promise<string> {
  const refs = await testGit(['-C', path, 'for-each-ref', '--format=%(refname) %(objectname)'])
  const objects = await testGit(['-C', path, 'rev-list', '--objects', '--all', '--missing=print'])
  const names = objects.split('\n').map((line) => line.split(' ')[0])
  return [refs, ...names.sort()].join('\n')
}

describe.each([0, 2])('by protocol version %i, the API serves what git http-backend serves:', (version) => {
  const protocol = ['-c', `protocol.version=${version}`]
  beforeAll(serveTwice)

  test.each([
    ['a whole clone', ['--mirror']],
    ['a shallow clone', ['--depth=2']],
    ['a clone of a single branch', ['--single-branch', '--branch=feature/ünï']],
    ['a clone without blobs', ['--filter=blob:none', '--no-checkout']],
  ])('%s', async (_, flags) => {
    const [a, b] = await both(async (side) => {
      const path = join(folder, randomUUID())
      await testGit([...protocol, ...as(side), 'clone', '--quiet', ...flags, side.url, path])
      return stateOf(path)
    })
    expect(a).toBe(b)
    expect(a).toContain('refs/')
  })
})

test('pushes by git to the API and to git http-backend: the same refs, the same refusals', async () => {
  await serveTwice()
  const work = join(folder, randomUUID())
  await testGit(['clone', '--quiet', sides[1].url, work])
  const at = (...args: string[]) => testGit(['-C', work, ...args])
  const change = async (file: string, content: string | Buffer) => {
    await writeFile(join(work, file), content)
    await at('add', '--all')
    await at('commit', '--quiet', '-m', file)
  }
  const blob = await testGit(['-C', work, 'hash-object', '-w', '--stdin'], { input: 'x' })
  const entry = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
  const literally = ['-C', work, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin']
  const bad = await at('commit-tree', await testGit(literally, { input: entry }), '-m', 'Bad')

  const pushes: readonly (readonly [what: string, refs: string[], prepare?: () => Promise<unknown>])[] = [
    ['a new branch', ['HEAD:refs/heads/new'], () => change('new', 'new')],
    ['an update', ['HEAD:main'], () => change('update', 'update')],
    ['large and chunked', ['HEAD:new'], () => change('large', randomBytes(3_000_000))],
    ['an update that is no fast-forward', ['HEAD~2:new']],
    ['a forced one', ['--force', 'HEAD~1:new']],
    ['a lease that does not hold', ['--force-with-lease=new:HEAD~3', 'HEAD:new']],
    ['tags', ['--tags'], () => at('tag', '-a', '-m', 'Two', 'v2')],
    ['a tag that moves', ['HEAD:refs/tags/v1']],
    ['several at once', ['HEAD:refs/heads/one', 'HEAD~1:refs/heads/two']],
    ['a branch below a branch', ['HEAD:refs/heads/one/below']],
    ['a deletion', [':two']],
    ['a deletion of what is not there', [':nowhere']],
    ['a deletion of the default branch', [':main']],
    ['a tree with .git in it', [`${bad}:refs/heads/bad`]],
    ['a branch that is no commit', ['HEAD^{tree}:refs/heads/tree']],
    ['nothing new', ['HEAD:one']],
  ]
  const refused: string[] = []
  for (const [what, refs, prepare] of pushes) {
    await prepare?.()
    const [a, b] = await both(async (side) => {
      const small = [...as(side), '-c', 'http.postBuffer=65536']
      const said = await testGit(['-C', work, ...small, 'push', '--porcelain', side.url, ...refs])
        .then((text) => ({ text, refused: false }))
        .catch((error: unknown) => ({ text: kindOf(String(error)), refused: true }))
      const listed = await testGit([...as(side), 'ls-remote', side.url])
      return { what, listed, ...said, text: said.text.replaceAll(side.url, 'URL') }
    })
    expect(a).toEqual(b)
    if (a?.refused) refused.push(what)
  }
  expect(refused).toEqual([
    'an update that is no fast-forward',
    'a lease that does not hold',
    'a tag that moves',
    'a branch below a branch',
    'a deletion of what is not there',
    'a deletion of the default branch',
    'a tree with .git in it',
    'a branch that is no commit',
  ])
})

/** The kind of refusal that git tells its user of, without the words that name a path or an address. */
function kindOf(text: string): string {
  const kinds = [
    'non-fast-forward',
    'stale info',
    'already exists',
    'deletion of the current branch prohibited',
    'unpacker error',
    'failed to update ref',
    'cannot lock ref',
    'remote ref does not exist',
    'invalid refspec',
    'hasDotgit',
  ]
  return [/exited with (\d+)/.exec(text)?.[1], ...kinds.filter((kind) => text.includes(kind))].join(', ')
}

const uploads = 'application/x-git-upload-pack-request'
const listRefs = '0014command=ls-refs\n00010009peel\n000csymrefs\n0000'

test.each([
  ['what can be fetched, by version 0', 'GET', '/info/refs?service=git-upload-pack', {}, null],
  ['what can be fetched, by version 1', 'GET', '/info/refs?service=git-upload-pack', v(1), null],
  ['what can be fetched, by version 2', 'GET', '/info/refs?service=git-upload-pack', v(2), null],
  ['what can be pushed', 'GET', '/info/refs?service=git-receive-pack', {}, null],
  ['a listing', 'POST', '/git-upload-pack', { ...v(2), 'content-type': uploads }, listRefs],
  [
    'a compressed listing',
    'POST',
    '/git-upload-pack',
    { ...v(2), 'content-type': uploads, 'content-encoding': 'gzip' },
    gzipSync(listRefs),
  ],
  ['a line that ends early', 'POST', '/git-upload-pack', { ...v(2), 'content-type': uploads }, '0032want '],
] as const)('byte for byte the same answer: %s', async (_, method, path, headers, body) => {
  const [a, b] = await both((side) => ask(side, method, path, headers, body))
  expect(a).toEqual(b)
  expect(a?.status).toBe(200)
})

test.each([
  ['an unknown command', '0011command=x\n0000'],
  ['a length that is none', 'zzzz'],
])(
  "a request that git cannot read is the client's fault, where git http-backend says nothing: %s",
  async (_, body) => {
    const headers = { ...v(2), 'content-type': uploads }
    const [a, b] = await both((side) => ask(side, 'POST', '/git-upload-pack', headers, body))
    expect(b).toMatchObject({ status: 200, bytes: '' })
    expect(a).toMatchObject({ status: 400, type: 'text/plain; charset=utf-8' })
    expect(a?.bytes).toContain('git could not read this request; send it with a git client')
  },
)

test.each([
  ['a service that git does not serve over HTTP', 'GET', '/info/refs?service=git-upload-archive', {}, 403],
  ['a service that is none', 'GET', '/info/refs?service=sh', {}, 403],
  ['a body of another type', 'POST', '/git-upload-pack', { 'content-type': 'text/plain' }, 415],
  ['a body of the other service', 'POST', '/git-receive-pack', { 'content-type': uploads }, 415],
  ['a request by GET', 'GET', '/git-upload-pack', {}, 405],
  ['a request by PUT', 'PUT', '/git-receive-pack', {}, 405],
  ['a path that is none of the protocol', 'GET', '/config', {}, 404],
  ['an archive', 'POST', '/git-upload-archive', { 'content-type': uploads }, 404],
] as const)('the same refusal: %s', async (_, method, path, headers, status) => {
  const asked = await both((side) => ask(side, method, path, headers, method === 'GET' ? null : '0000'))
  expect(asked.map((answer) => answer.status)).toEqual([status, status])
})

function v(version: number) {
  return { 'git-protocol': `version=${version}` }
}

async function ask(
  side: Side,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | null,
) {
  const response = await fetch(side.url + path, {
    method,
    headers: { ...side.headers, ...headers },
    body: typeof body === 'string' ? body : body && new Uint8Array(body),
  })
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status: response.status, type: response.headers.get('content-type'), bytes }
}
