import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@svc/boot'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { migrateSchema } from '@svc/platform'
import { createClient, type Client } from '@svc/sdk'
import { createAdminClient } from '@svc/sdk/admin'
import pg from 'pg'
import { z } from 'zod'
import { startChild, stopChild } from '../child.ts'

/** A folder and a PostgreSQL of a bench's own. */
export interface Place {
  readonly folder: string
  /** A database with the whole schema. */
  database(name: string): Promise<string>
  /** Writes rows to begin with: what a crash would lose of them is not asked, so nothing waits for the disk. */
  fill<T>(work: () => Promise<T>): Promise<T>
  /** The API as it is deployed, whose account may have any number of live sessions. */
  api(name: string, url: string, options?: ApiOptions): Promise<ServedApi>
  close(): Promise<void>
}

export interface ApiOptions {
  /** Merges at a time; without it nobody merges. */
  readonly merges?: number
  /** The address that spans are sent to; without it there are none. */
  readonly collector?: string
  /** In the place of `serve.ts`. */
  readonly program?: URL
}

export interface ServedApi {
  readonly origin: string
  readonly token: string
  readonly client: Client
  readonly child: ChildProcess
}

const Served = z.object({ origin: z.url(), token: z.string() })
const careless = [
  'fsync = off',
  'full_page_writes = off',
  "max_wal_size = '8GB'",
  "checkpoint_timeout = '1h'",
]
const log = createLogger({ name: 'bench', level: 'error' })

export async function openPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-operations-'))
  const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log })
  const children: ChildProcess[] = []
  const asRoot = async (...statements: readonly string[]) => {
    const root = new pg.Client({ connectionString: postgres.connection_string })
    await root.connect()
    for (const statement of statements) await root.query(statement)
    await root.end()
  }
  return {
    folder,
    async fill(work) {
      const reload = 'select pg_reload_conf()'
      await asRoot(...careless.map((setting) => `alter system set ${setting}`), reload)
      try {
        return await work()
      } finally {
        await asRoot('alter system reset all', reload, 'checkpoint')
      }
    },
    async database(name) {
      await asRoot(`create database ${name}`)
      const url = new URL(postgres.connection_string)
      url.pathname = `/${name}`
      await migrateSchema({ DATABASE_URL: url.href })
      return url.href
    },
    async api(name, url, { merges, collector, program = new URL('serve.ts', import.meta.url) } = {}) {
      const own = join(folder, name)
      await mkdir(own, { recursive: true })
      const child = startChild(program, [own, url, String(merges ?? ''), collector ?? ''])
      children.push(child)
      const { origin, token } = Served.parse((await once(child, 'message'))[0])
      const api_url = `${origin}/v1`
      const client = createClient({ api_url, token })
      const { account_id } = await client.me()
      const limits = { live_sessions: 1_000_000, projects: 10_000 }
      await createAdminClient({ api_url, token }).updateAccount(account_id, { limits })
      return { origin, token, client, child }
    },
    async close() {
      await Promise.all(children.map(stopChild))
      await postgres.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
