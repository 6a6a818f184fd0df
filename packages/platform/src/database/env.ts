import { z } from 'zod'

const address = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// or postgresql:// address')

const connections = z.coerce.number().int().min(1).max(1_000)

/** The variables of how a process reaches PostgreSQL. */
export const databaseEnv = {
  DATABASE_URL: address.describe('the PostgreSQL that holds every row'),
  SVC_DATABASE_DIRECT_URL: address
    .optional()
    .describe(
      'the same PostgreSQL past a pooler, for locks, LISTEN, jobs and migrations; DATABASE_URL when unset',
    ),
  SVC_DB_POOL: connections.default(10).describe('connections for queries that a process may open'),
  SVC_DB_PREPARED: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true')
    .describe(
      'whether a connection keeps the plans of busy statements; `false` where DATABASE_URL is a pooler of transactions',
    ),
} as const

/** The variable of connections that hold a lock, for processes that take one. */
export const lockPoolEnv = {
  SVC_DB_LOCK_POOL: connections
    .default(8)
    .describe('connections that do nothing but hold a lock; a worker has at least one for each of its jobs'),
} as const

export type DatabaseEnv = z.infer<z.ZodObject<typeof databaseEnv>>
