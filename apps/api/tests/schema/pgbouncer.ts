import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../../../scripts/free-port.ts'
import { waitFor } from '../../../standalone/tests/support/wait-for.ts'

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

export interface Pooler {
  /** The address of the same database through the pooler. */
  readonly url: string
  close(): Promise<void>
}

/** A PgBouncer of the test's own before a database; everyone may log in, as its user. */
export async function startPgbouncer(
  connection_string: string,
  pool_mode: 'session' | 'transaction',
): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'))
  const [port = 0] = await freePorts(1)
  const behind = new URL(connection_string)
  const database = behind.pathname.slice(1)
  const login = { host: behind.hostname, port: behind.port, user: behind.username, password: behind.password }
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode,
    default_pool_size: 60,
    server_lifetime: 3600,
  }
  const lines = (entries: object, between: string) =>
    Object.entries(entries)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(between)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n${database} = ${lines(login, ' ')}\n[pgbouncer]\n${lines(settings, '\n')}\n`,
  )
  await chmod(folder, 0o755)
  // It refuses to be root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const child = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  await waitFor('PgBouncer is up', () => said.includes('process up') || child.exitCode !== null, {
    every_ms: 20,
  })
  if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${said}`)
  return {
    url: `postgres://svc@127.0.0.1:${port}/${database}`,
    async close() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
