import type { SandboxRecordStatus } from '@svc/session'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'

export interface SandboxFilter {
  readonly machine?: string | undefined
  readonly provider?: string | undefined
  readonly status?: SandboxRecordStatus | undefined
}

export interface SandboxPosition {
  readonly last_active_at: Date
  readonly session_id: string
}

/** Records of sandboxes that are not archived, the last used first. */
export async function list(
  db: Db,
  query: SandboxFilter & { readonly after?: SandboxPosition | undefined; readonly limit: number },
) {
  const { machine, provider, status, after, limit } = query
  return db
    .selectFrom('session_sandboxes as b')
    .innerJoin('project_sessions as s', 's.session_id', 'b.session_id')
    .select(['b.session_id', 's.account_id', 's.project_id', 'b.machine', 'b.provider', 'b.external_id'])
    .select(['b.status', 'b.last_active_at', 'b.lease_expires_at'])
    .where((eb) => {
      const conditions: Expression<SqlBool>[] = [
        status === undefined ? eb('b.status', '<>', 'archived') : eb('b.status', '=', status),
      ]
      if (machine !== undefined) conditions.push(eb('b.machine', '=', machine))
      if (provider !== undefined) conditions.push(eb('b.provider', '=', provider))
      if (after !== undefined)
        conditions.push(
          sql<boolean>`(b.last_active_at, b.session_id) < (${after.last_active_at}, ${after.session_id}::uuid)`,
        )
      return eb.and(conditions)
    })
    .orderBy('b.last_active_at', 'desc')
    .orderBy('b.session_id', 'desc')
    .limit(limit)
    .execute()
}
