import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Binaries } from './binaries.ts'
import { serverEnv, user } from './cluster.ts'
import type { EmbeddedLog } from './log.ts'
import type { Owner } from './owner.ts'

export interface ServerPlace {
  readonly binaries: Binaries
  readonly cluster_dir: string
  readonly socket_dir: string
  readonly owner: Owner | undefined
  readonly settings: Readonly<Record<string, string>>
}

export interface Server {
  readonly pid: number
  readonly exited: Promise<void>
  /** Cuts what runs and writes everything to its place; from `force` on it only ends, and the next start recovers. */
  stop(force?: AbortSignal): Promise<void>
}

/** One that is asked to end before it was up has little to write. */
const givenUpMs = 2_000

/** Returns once the server accepts connections; from `stopping` on it throws, and no server is left. */
export async function startServer(
  place: ServerPlace,
  admin_url: string,
  log: EmbeddedLog,
  stopping: AbortSignal,
): Promise<Server> {
  stopping.throwIfAborted()
  const settings = { ...fixedSettings, ...place.settings, unix_socket_directories: place.socket_dir }
  const child = spawn(
    join(place.binaries.native_dir, 'bin', 'postgres'),
    [
      '-D',
      place.cluster_dir,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // A session of its own: Ctrl-C ends the platform first, which then ends its database.
    { ...place.owner, cwd: '/', env: serverEnv, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const last = lastLines(child, log)
  const exited = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  )
  const server = {
    pid: child.pid ?? 0,
    exited,
    stop: (force?: AbortSignal) => endServer(child, exited, force),
  }
  const giveUp = () => child.kill('SIGINT')
  stopping.addEventListener('abort', giveUp, { once: true })
  try {
    await ready(admin_url, exited)
    stopping.throwIfAborted()
    return server
  } catch (cause) {
    await server.stop(stopping.aborted ? AbortSignal.timeout(givenUpMs) : undefined)
    stopping.throwIfAborted()
    throw new Error(`PostgreSQL does not start: ${last().join(' | ') || 'it said nothing'}`, { cause })
  } finally {
    stopping.removeEventListener('abort', giveUp)
  }
}

const fixedSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  password_encryption: 'scram-sha-256',
  log_min_messages: 'warning',
}

function lastLines(child: ChildProcess, log: EmbeddedLog): () => readonly string[] {
  const lines: string[] = []
  if (!child.stderr) return () => lines
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (lines.length > 20) lines.shift()
    if (line.includes(' PANIC: ')) log.error({ line }, 'PostgreSQL')
    else log.debug({ line }, 'PostgreSQL')
  })
  return () => lines
}

async function ready(admin_url: string, exited: Promise<void>): Promise<void> {
  let gone = false
  void exited.then(() => (gone = true))
  for (;;) {
    const refusal = await ensureDatabase(admin_url).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal === undefined) return
    if (gone || !isStarting(refusal)) throw refusal
    await sleep(15)
  }
}

/** Not there yet, or there and still recovering (57P03); anything else will not get better. */
function isStarting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
}

async function ensureDatabase(admin_url: string): Promise<void> {
  const client = new Client({ connectionString: admin_url })
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [user])
    if (rowCount === 0) await client.query(`create database ${user}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Fast shutdown: running statements are cut, the data is checkpointed. Immediate when that takes long; the next start recovers. */
export async function endServer(
  child: ChildProcess,
  exited: Promise<void>,
  force: AbortSignal = AbortSignal.timeout(15_000),
): Promise<void> {
  const endAtOnce = () => child.kill('SIGQUIT')
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGINT')
    force.addEventListener('abort', endAtOnce, { once: true })
    if (force.aborted) endAtOnce()
  }
  await exited
  force.removeEventListener('abort', endAtOnce)
}
