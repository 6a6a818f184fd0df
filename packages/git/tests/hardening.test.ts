import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createBranch,
  listCommits,
  listFiles,
  moveBranch,
  planMerge,
  preview,
  readFile,
  type Repository,
  resolveBranch,
  resolveCommit,
  tips,
} from '../src/index.ts'
import { commit, makeRepository, testGit } from '../src/testing/index.ts'
import { type ManagedServer, startManagedServer } from './serve/managed-server.ts'
import { storage } from './storage.ts'

const { managed, repositories } = await storage()
const folder = await mkdtemp(join(tmpdir(), 'svc-hardening-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const touched = join(folder, 'touched')

let repository: Repository
let host: ManagedServer
let main: string
beforeEach(async () => {
  const made = await managed()
  repository = made
  main = await commit(repository, 'main', { 'a.txt': 'a\n' })
  await host?.close()
  host = await startManagedServer(repositories, made.project_id)
  host.rules = {
    default_branch: 'none',
    default_allowed: true,
    only_branch: null,
    delete_allowed: true,
    read_only: false,
  }
})
afterAll(() => host.close())

/** No object of a refused push stays, nor a process that worked on it. */
async function expectNothingLeft(): Promise<void> {
  expect([...(await tips(repository))]).toEqual([['main', main]])
  const incoming = async () =>
    (await readdir(join(repository.git_dir, 'objects'))).filter(
      (name) => name.startsWith('tmp_') || name.startsWith('incoming'),
    )
  await expect.poll(incoming).toEqual([])
  await expect.poll(() => running(repository.git_dir)).toEqual([])
}

async function running(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args'])
  return stdout.split('\n').filter((line) => line.includes(text) && !line.startsWith('Z'))
}

const hostile = [
  '-x',
  `--upload-pack=touch ${touched}`,
  `--output=${touched}`,
  'a..b',
  'a@{1}',
  'a\nb',
  'a\0b',
  '../../etc/passwd',
  'ext::sh -c id',
  '@',
  'HEAD^{tree}',
  ':/x',
  'refs/../x',
  'a b',
  'main~1',
  'main^',
  '',
  '.',
  '/main',
]

test.each(hostile)('%j is no branch anywhere, and no option to git', async (name) => {
  expect(await resolveBranch(repository, name)).toBeNull()
  const refused = { code: expect.stringMatching(/REF_NOT_FOUND/) }
  await expect(resolveCommit(repository, name)).rejects.toMatchObject(refused)
  await expect(preview(repository, { base_ref: 'main', head_ref: name })).rejects.toMatchObject(refused)
  await expect(readFile(repository, { ref: name, path: 'a.txt' })).rejects.toMatchObject(refused)
  await expect(listFiles(repository, { ref: name, recursive: true })).rejects.toMatchObject(refused)
  await expect(listCommits(repository, { ref: name, limit: 1 })).rejects.toMatchObject(refused)
  expect(await createBranch(repository, { branch: name, at_sha: main })).toMatchObject({ kind: 'rejected' })
  expect(await moveBranch(repository, { branch: name, from_sha: main, to_sha: main })).toMatchObject({
    kind: 'rejected',
  })
  await expect(access(touched)).rejects.toThrow()
})

test.each([
  '-x',
  `--upload-pack=touch ${touched}`,
  '-F/etc/passwd',
  'ext::sh -c id',
  '# no comment\n\n; nor this',
  'subject\n\n---\n>8 scissors',
  'a\r\nb',
  '@{0} .. ../../x',
  '\u202eabc \u0007',
])('%j as the message of a merge is text, down to the byte', async (message) => {
  const { git_dir } = repository
  const head_sha = await commit(repository, 'work', { 'b.txt': 'b' }, 'Work', { from: 'main' })
  const base_sha = await commit(repository, 'main', { 'c.txt': 'c' })
  const committed_at = new Date('2026-03-04T05:06:07Z')
  const plan = await planMerge(repository, { base_sha, head_sha, message, committed_at })
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)
  const stored = await testGit(['cat-file', 'commit', plan.commit_sha], { git_dir })
  expect(stored.slice(stored.indexOf('\n\n') + 2)).toBe(message)
  await expect(access(touched)).rejects.toThrow()
})

/** A tree that git itself would never write, on a branch of a repository that pushes it. */
async function badCommit(entries: readonly (readonly [mode: string, name: string, content: string])[]) {
  const source = await makeRepository({ git_dir: join(folder, `${randomUUID()}.git`), files: { x: 'x' } })
  const { git_dir } = source
  const parts: Buffer[] = []
  for (const [mode, name, content] of entries) {
    const blob = await testGit(['hash-object', '-w', '--stdin'], { git_dir, input: content })
    parts.push(Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, 'hex'))
  }
  const literally = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin']
  const tree = await testGit(literally, { git_dir, input: Buffer.concat(parts) })
  const sha = await testGit(['commit-tree', tree, '-m', 'Bad'], { git_dir })
  await testGit(['update-ref', 'refs/heads/bad', sha], { git_dir })
  return source
}

describe.each([
  ['.git', [['100644', '.git', 'x']]],
  ['.GIT', [['100644', '.GIT', 'x']]],
  ['.git as an HFS file system reads it', [['100644', '.g\u200cit', 'x']]],
  ['.git as an NTFS file system reads it', [['100644', 'git~1', 'x']]],
  ['..', [['100644', '..', 'x']]],
  ['.', [['100644', '.', 'x']]],
  ['a path for a name', [['100644', 'a/b', 'x']]],
  [
    'one name twice',
    [
      ['100644', 'a', 'x'],
      ['100644', 'a', 'y'],
    ],
  ],
  [
    'names out of order',
    [
      ['100644', 'b', 'x'],
      ['100644', 'a', 'y'],
    ],
  ],
  [
    'a submodule whose address is an option',
    [['100644', '.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\n']],
  ],
  [
    'a submodule whose path is an option',
    [['100644', '.gitmodules', '[submodule "x"]\n\tpath = -x\n\turl = https://host/x\n']],
  ],
  ['a .gitmodules that is a link', [['120000', '.gitmodules', '/etc/passwd']]],
] as const)('a tree with %s', (_, entries) => {
  test('is refused on its way in by push', async () => {
    const { git_dir } = await badCommit(entries)
    const push = testGit(['push', host.url, 'bad'], { git_dir })
    await expect(push).rejects.toThrow(/fsck|unpacker error|remote unpack failed/)
    await expectNothingLeft()
  })

  test('is refused on its way in by fetch, and no mirror shows it', async () => {
    const { url } = await badCommit(entries)
    const target = { kind: 'connected' as const, project_id: randomUUID(), repo_url: url, credential: null }
    await expect(repositories.open(target)).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
    await expect(repositories.open(target)).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
  })
})

const zero = '0'.repeat(40)
const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
const command = () => Buffer.from(`${line(`${zero} ${main} refs/heads/evil\0 report-status\n`)}0000`)
const header = (count: number) =>
  Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2]), Buffer.from([0, 0, 0, count])])

async function post(body: Buffer, headers: Record<string, string> = {}): Promise<string> {
  const url = `${host.url}/git-receive-pack`
  const response = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers }).catch(() => null)
  return response === null ? '' : response.text().catch(() => '')
}

test.each([
  ['noise', () => randomBytes(5_000)],
  ['a pack of noise', () => Buffer.concat([command(), header(3), randomBytes(5_000)])],
  ['a pack that ends early', () => Buffer.concat([command(), header(3)])],
  ['a pack that promises more than it holds', () => Buffer.concat([command(), header(255), randomBytes(20)])],
  ['no end of commands', () => Buffer.from(line(`${zero} ${main} refs/heads/evil\0\n`))],
  ['a length that is none', () => Buffer.from('zzzz')],
  ['a length that lies', () => Buffer.from('fff0short')],
  ['nothing', () => Buffer.alloc(0)],
] as const)('%s for a push changes nothing', async (_, body) => {
  expect(await post(body())).not.toContain('ok refs/heads/evil')
  await expectNothingLeft()
})

test('a small body that unpacks to a large one is cut at the limit of the large one', async () => {
  host.max_push_bytes = 1_000_000
  const bomb = gzipSync(Buffer.concat([command(), Buffer.alloc(120_000_000)]))
  expect(bomb.length).toBeLessThan(200_000)
  expect(await post(bomb, { 'content-encoding': 'gzip' })).not.toContain('ok refs/heads/evil')
  await expectNothingLeft()
})

test('clients that stop in the middle hold up nobody, and leave nothing when they go', async () => {
  const { port, pathname } = new URL(host.url)
  const head = `POST ${pathname}/git-receive-pack HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`
  const idle = Array.from({ length: 20 }, () => {
    const socket = createConnection(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${head}4\r\n00b5\r\n`)
    return socket
  })
  await expect.poll(async () => (await running(repository.git_dir)).length).toBeGreaterThanOrEqual(20)
  await Promise.all(
    [1, 2, 3].map((each) => testGit(['clone', '--quiet', host.url, join(folder, `${randomUUID()}-${each}`)])),
  )
  for (const socket of idle) socket.destroy()
  await expectNothingLeft()
})
