import { ConnectionClosedError, type PgPool } from 'bullmq'
import { Pool } from 'pg'

/** Connections to PostgreSQL that the jobs of a process may take, where they travel through it. */
export const queueConnections = 12

/**
 * One pool for all queues and workers of a process. BullMQ waits and tries again after an error that it knows as
 * a lost connection, and it knows only those of Redis: the ones of PostgreSQL are told in its words.
 */
export function sharedPool(connectionString: string, schema: string, application_name = 'svc-queue'): PgPool {
  const pool = new Pool({
    connectionString,
    max: queueConnections,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name,
    options: `-c search_path=${schema}`,
  })
  pool.setMaxListeners(0)
  return asBullPool({
    options: { keepAlive: true },
    query: (text: string, params?: readonly unknown[]) =>
      translateLoss(pool.query(text, params && [...params])),
    connect: () => translateLoss(pool.connect()),
    end: () => pool.end(),
    on: pool.on.bind(pool),
    removeAllListeners: pool.removeAllListeners.bind(pool),
  })
}

/** BullMQ describes a pg.Pool in types of its own, which those of pg do not quite match. */
function asBullPool(pool: Record<keyof PgPool, unknown> & { options: { keepAlive: boolean } }): PgPool {
  return pool as PgPool
}

async function translateLoss<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isConnectionLoss(error)) throw error
    throw new ConnectionClosedError('Connection is closed.', error)
  }
}

const lossCodes =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
const lossTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error))/

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && lossCodes.test(error.code)) return true
  return lossTexts.test(error.message)
}
