import { uuidPattern } from '@svc/facts'
import { type SessionStatus, sessionMachine } from '@svc/session'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database.ts'

export interface AllSessionsFilter {
  /** A session's id, its sandbox's external id, its branch, its project's slug, or a part of its name. */
  readonly q?: string | undefined
  readonly status?: SessionStatus | undefined
  readonly account_id?: string | undefined
  readonly project_id?: string | undefined
  readonly agent?: string | undefined
  readonly machine?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export interface AllSessionsPosition {
  readonly created_at: Date
  readonly session_id: string
}

/** Sessions of every account but deleted ones, the newest first. */
export async function list(
  db: Db,
  query: AllSessionsFilter & { readonly after?: AllSessionsPosition | undefined; readonly limit: number },
) {
  return joined(db)
    .select([
      's.session_id',
      's.account_id',
      'a.name as account_name',
      's.project_id',
      'p.slug as project_slug',
    ])
    .select(['s.status', 's.name', 's.agent_name', 's.origin', 'b.machine', 's.failure'])
    .select(['s.created_by', 's.created_at', 's.updated_at'])
    .where((eb) => eb.and(conditionsOf(eb, query)))
    .where('s.deleted_at', 'is', null)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.session_id', 'desc')
    .limit(query.limit)
    .execute()
}

const joined = (db: Db) =>
  db
    .selectFrom('project_sessions as s')
    .innerJoin('session_sandboxes as b', 'b.session_id', 's.session_id')
    .innerJoin('projects as p', 'p.project_id', 's.project_id')
    .innerJoin('accounts as a', 'a.account_id', 's.account_id')

type Builder = ExpressionBuilder<
  Database & {
    s: Database['project_sessions']
    b: Database['session_sandboxes']
    p: Database['projects']
  },
  's' | 'b' | 'p'
>

function conditionsOf(
  eb: Builder,
  query: AllSessionsFilter & { readonly after?: AllSessionsPosition | undefined },
): Expression<SqlBool>[] {
  const { q, status, account_id, project_id, agent, machine, since, until, after } = query
  return [
    ...(q === undefined ? [] : [matches(eb, q)]),
    ...(status === undefined ? [] : [eb('s.status', '=', status)]),
    ...(account_id === undefined ? [] : [eb('s.account_id', '=', account_id)]),
    ...(project_id === undefined ? [] : [eb('s.project_id', '=', project_id)]),
    ...(agent === undefined ? [] : [eb('s.agent_name', '=', agent)]),
    ...(machine === undefined ? [] : [eb('b.machine', '=', machine)]),
    ...(since === undefined ? [] : [eb('s.created_at', '>=', since)]),
    ...(until === undefined ? [] : [eb('s.created_at', '<', until)]),
    ...(after === undefined
      ? []
      : [sql<boolean>`(s.created_at, s.session_id) < (${after.created_at}, ${after.session_id}::uuid)`]),
  ]
}

function matches(eb: Builder, q: string): Expression<SqlBool> {
  const part = `%${q.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return eb.or([
    ...(uuidPattern.test(q) ? [eb('s.session_id', '=', q)] : []),
    eb('b.external_id', '=', q),
    eb('s.branch_name', '=', q),
    eb('p.slug', '=', q),
    eb('s.name', 'ilike', part),
  ])
}

/** The number in each status. */
export async function countByStatus(db: Db): Promise<Record<SessionStatus, number>> {
  const rows = await db
    .selectFrom('project_sessions')
    .select(['status', sql<number>`count(*)::integer`.as('n')])
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute()
  const none = Object.fromEntries(sessionMachine.states.map((status) => [status, 0]))
  const found = Object.fromEntries(rows.map(({ status, n }) => [status, n]))
  // Named boundary: the keys are the machine's states.
  return { ...none, ...found } as Record<SessionStatus, number>
}
