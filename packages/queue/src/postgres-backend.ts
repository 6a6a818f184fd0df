import { createPostgresBackend, DEFAULT_SCHEMA, Queue, runMigrations } from 'bullmq'
import type { Backend } from './backend.ts'
import { sharedPool } from './shared-pool.ts'
import { PausingWorker } from './pausing-worker.ts'

export interface PostgresBackendOptions {
  readonly url: string
  readonly prefix: string
  readonly application_name?: string | undefined
  readonly on_fault: (error: unknown, message: string) => void
}

/** Jobs in a schema of their own of the same database, which `migrateQueue` makes. */
export function postgresBackend({
  url,
  prefix,
  application_name,
  on_fault,
}: PostgresBackendOptions): Backend {
  const pool = sharedPool(url, DEFAULT_SCHEMA, application_name)
  pool.on('error', (error) => on_fault(error, 'The queue lost a connection to PostgreSQL'))
  const nameOf = (queue: string) => `${prefix}.${queue}`
  return {
    openStore: (queue) => new Queue(nameOf(queue), { connection: pool }, createPostgresBackend),
    openRunner: (queue, processor, options) =>
      new PausingWorker(nameOf(queue), processor, { ...options, connection: pool }, createPostgresBackend),
    isReady: () => true,
    async ping() {
      await pool.query('select 1')
    },
    close: () => pool.end(),
  }
}

/** Brings the schema of the jobs up to date; several processes may call it at once. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = sharedPool(url, DEFAULT_SCHEMA)
  try {
    const client = await pool.connect()
    try {
      await runMigrations(client)
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}
