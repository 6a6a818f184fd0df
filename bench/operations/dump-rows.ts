import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'

/** The way in which the rows of a database are dumped without us. */
export interface RowDump {
  readonly name: string
  dump(): Promise<void>
}

/** `pg_dump`, where it is of this server's release or a newer one; else what it does: `COPY` of each table, packed. */
export async function rowDumpOf(url: string): Promise<RowDump> {
  const dump = () => run('pg_dump', ['--format=custom', '--dbname', url])
  try {
    await dump()
    return { name: 'pg_dump', dump }
  } catch {
    const tables = await tablesOf(url)
    const commands = tables.flatMap((table) => ['--command', `copy "${table}" to stdout`])
    const copy = () => run('psql', [url, ...commands], true)
    return { name: 'COPY by psql', dump: copy }
  }
}

async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'
       and tablename not in (select inhparent::regclass::text from pg_inherits)`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

async function run(program: string, args: readonly string[], packed = false): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await (packed ? pipeline(child.stdout, createGzip(), nowhere) : pipeline(child.stdout, nowhere))
  const [code] = await exited
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`)
}
