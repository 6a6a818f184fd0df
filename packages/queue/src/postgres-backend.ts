import { createPostgresBackend, DEFAULT_SCHEMA, Queue, runMigrations } from 'bullmq'
import type { Backend } from './backend.ts'
import { queues } from './jobs.ts'
import { sharedPool } from './shared-pool.ts'
import { PausingWorker } from './pausing-worker.ts'

/** Names the queues of a platform that has its Redis or its database for itself. */
export const defaultPrefix = 'svc'

/** The schema of the database that holds the jobs. */
export const jobsSchema = DEFAULT_SCHEMA

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
  const nameOf = (queue: string) => queueName(prefix, queue)
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

const queueName = (prefix: string, queue: string) => `${prefix}.${queue}`

/** Brings the schema of the jobs up to date; several processes may call it at once. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = sharedPool(url, DEFAULT_SCHEMA)
  try {
    const client = await pool.connect()
    try {
      await runMigrations(client)
      // The first job of a queue makes its counter, which a service has no right to where the owner of the schema is another.
      for (const queue of Object.keys(queues))
        await client.query('select next_job_id($1)', [queueName(defaultPrefix, queue)])
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}
