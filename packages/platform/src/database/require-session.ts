import { keepsSession } from '@svc/db'
import type { DatabaseEnv } from './env.ts'
import { directUrl } from './open-database.ts'

/** An address of PostgreSQL that a process cannot work with. */
export class DatabaseRefusal extends Error {}

const remedy =
  'Set SVC_DATABASE_DIRECT_URL to the address of the server itself or of a pooler in session mode (for locks, LISTEN, jobs and migrations), and SVC_DB_PREPARED=false for the pooled DATABASE_URL.'

interface Needs {
  /** Whether the process holds locks, listens, or changes the schema. */
  readonly session: boolean
}

/** Refuses a pooler that gives each transaction another connection, where a connection has to stay the same. */
export async function requireSession(
  env: Pick<DatabaseEnv, 'DATABASE_URL' | 'SVC_DATABASE_DIRECT_URL' | 'SVC_DB_PREPARED'>,
  { session }: Needs,
): Promise<void> {
  const direct = directUrl(env)
  if (session && !(await keepsSession(direct))) {
    const name = env.SVC_DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'SVC_DATABASE_DIRECT_URL'
    throw new DatabaseRefusal(`${name} leads to a pooler that pools transactions. ${remedy}`)
  }
  const isKnown = session && direct === env.DATABASE_URL
  if (env.SVC_DB_PREPARED && !isKnown && !(await keepsSession(env.DATABASE_URL)))
    throw new DatabaseRefusal(
      `DATABASE_URL leads to a pooler that pools transactions, and SVC_DB_PREPARED is true. ${remedy}`,
    )
}
