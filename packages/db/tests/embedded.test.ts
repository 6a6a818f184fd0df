import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded/index.ts'
import { commandOf } from '../src/embedded/processes.ts'

const notices: string[] = []
const note = (_details: object, message: string) => void notices.push(message)
const log = { debug: () => undefined, info: note, warn: note, error: note }
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const runner = join(import.meta.dirname, 'embedded-runner.ts')

let made: string
let temp: string
let open: EmbeddedPostgres[] = []
let children: ChildProcess[] = []

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'svc-embedded-made-'))
  await chmod(made, 0o711)
  const server = await startEmbeddedPostgres({ data_dir: join(made, 'data'), log })
  await server.close()
})
afterAll(() => rm(made, { recursive: true, force: true }))
beforeEach(async () => {
  notices.length = 0
  temp = await mkdtemp(join(tmpdir(), 'svc-embedded-'))
  await chmod(temp, 0o711)
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const server of open) await server.close()
  open = []
  children = []
  await rm(temp, { recursive: true, force: true })
})

async function start(data_dir = join(temp, 'data')): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ data_dir, log, settings: { fsync: 'off' } })
  open.push(server)
  return server
}

/** Data folder of a server that was ended, for tests that need no first start, which takes seconds. */
function earlier(): string {
  const data_dir = join(temp, 'data')
  execFileSync('cp', ['-a', join(made, 'data'), data_dir])
  return data_dir
}

async function query(server: { connection_string: string }, text: string): Promise<unknown> {
  const client = new Client({ connectionString: server.connection_string })
  await client.connect()
  try {
    const { rows } = await client.query({ text, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

async function platform(data_dir: string, then: 'wait' | 'exit') {
  const child = spawn(process.execPath, ['--import', tsx, runner, data_dir, then], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const server: { pid: number; connection_string: string } = JSON.parse(String(line))
  return { child, ...server }
}

/** A killed process may stay a zombie for a while, which has no command line. */
const isAlive = (pid: number) => commandOf(pid) !== undefined

test('keeps its data over a restart and leaves nothing running', async () => {
  const first = await start()
  await query(first, 'create table kept as select 42 as answer')
  await first.close()
  expect(isAlive(first.pid)).toBe(false)
  const second = await start()
  expect(second.connection_string).toBe(first.connection_string)
  expect(await query(second, 'select answer from kept')).toBe(42)
  expect(await query(second, 'show server_encoding')).toBe('UTF8')
})

test('is reached through a private socket with a password and in no other way', async () => {
  const server = await start()
  expect(await query(server, 'show listen_addresses')).toBe('')
  expect(await query(server, 'show max_connections')).toBe('200')
  expect((await stat(join(temp, 'data/password'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(temp, 'data/run'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(temp, 'data/cluster'))).mode & 0o777).toBe(0o700)
  const url = new URL(server.connection_string)
  url.password = 'guess'
  await expect(query({ connection_string: url.href }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
})

test('recovers from a crash in the middle of setting up', async () => {
  const draft = join(temp, 'data/cluster.draft-crashed')
  await mkdir(draft, { recursive: true })
  await writeFile(join(draft, 'PG_VERSION'), '18\n')
  expect(await query(await start(), 'select 1')).toBe(1)
  expect(await readdir(join(temp, 'data'))).not.toContain('cluster.draft-crashed')
})

test('is started again when it is killed, at the same address', async () => {
  const server = await start(earlier())
  await query(server, 'create table kept as select 42 as answer')
  const killed = server.pid
  process.kill(killed, 'SIGKILL')
  await vi.waitFor(() => expect(server.pid).not.toBe(killed), { timeout: 180_000 })
  expect(await query(server, 'select answer from kept')).toBe(42)
})

test('takes over from a platform that was killed', async () => {
  const data_dir = earlier()
  const killed = await platform(data_dir, 'wait')
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  expect(isAlive(killed.pid)).toBe(true)
  const server = await start(data_dir)
  expect(isAlive(killed.pid)).toBe(false)
  expect(await query(server, 'select 1')).toBe(1)
  expect(notices).toContain('A PostgreSQL left by an earlier run is stopped')
})

test('refuses the data directory of a running platform', async () => {
  const data_dir = earlier()
  const other = await platform(data_dir, 'wait')
  await expect(start(data_dir)).rejects.toThrow(`in use by the running process ${other.child.pid}`)
  expect(await query(other, 'select 1')).toBe(1)
  other.child.kill('SIGKILL')
  await once(other.child, 'exit')
  await start(data_dir)
})

test('ends with the process that started it', async () => {
  const ended = await platform(earlier(), 'exit')
  await vi.waitFor(() => expect(isAlive(ended.pid)).toBe(false), { timeout: 180_000 })
})

test('survives a pid file that names a stranger', async () => {
  const cluster = join(earlier(), 'cluster')
  await writeFile(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n`)
  expect(await query(await start(), 'select 1')).toBe(1)
})

test('refuses data of another major version with a clear word', async () => {
  await writeFile(join(earlier(), 'cluster/PG_VERSION'), '12\n')
  await expect(start()).rejects.toThrow('made by PostgreSQL 12')
})

test('a data directory whose path is too long for a socket works', async () => {
  const server = await start(join(temp, 'a-rather-long-folder-name/'.repeat(5), 'data'))
  expect(await query(server, 'select 1')).toBe(1)
  const socket_dir = new URL(server.connection_string).searchParams.get('host') ?? ''
  expect(socket_dir.startsWith(temp)).toBe(false)
  await server.close()
  expect(existsSync(socket_dir)).toBe(false)
})

test.runIf(process.getuid?.() === 0)(
  'as root, data in a closed folder goes elsewhere, with a notice',
  async () => {
    await mkdir(join(temp, 'closed'), { mode: 0o700 })
    const server = await start(join(temp, 'closed/data'))
    expect(notices.join()).toContain('another folder is used')
    const used = String(await query(server, 'show data_directory'))
    expect(used).toMatch(/^\/var\/lib\/svc\/[0-9a-f]{16}\/cluster$/)
    await server.close()
    await rm(join(used, '..'), { recursive: true, force: true })
  },
)
