import type { Metrics, Tracing } from '@svc/boot'
import { createDatabase, type Db } from '@svc/db'
import { poolMeter } from '../metrics/pool-meter.ts'
import { version } from '../schema/version.ts'
import type { DatabaseEnv } from './env.ts'

/** A process as PostgreSQL and the table of processes name it. */
export interface ProcessName {
  readonly process_id: string
  readonly service: string
}

/** Seen in `pg_stat_activity` and in the log of the server. */
export const applicationName = ({ service, process_id }: ProcessName): string =>
  `svc-${service}/${version}#${process_id}`

/** Properties that all connections of a process share. */
export interface Opening {
  readonly metrics: Metrics
  /** Absent where traces are off. */
  readonly tracing?: Tracing | undefined
  readonly application_name: string | undefined
}

/** The connections for queries. */
export function openDatabase(env: DatabaseEnv, { metrics, application_name }: Opening): Db {
  return createDatabase(env.DATABASE_URL, {
    max: env.SVC_DB_POOL,
    prepared: env.SVC_DB_PREPARED,
    application_name,
    meter: poolMeter(metrics, 'main'),
  })
}

/** The address for what belongs to one connection: a lock, LISTEN, a migration. */
export const directUrl = ({
  DATABASE_URL,
  SVC_DATABASE_DIRECT_URL,
}: Pick<DatabaseEnv, 'DATABASE_URL' | 'SVC_DATABASE_DIRECT_URL'>): string =>
  SVC_DATABASE_DIRECT_URL ?? DATABASE_URL
