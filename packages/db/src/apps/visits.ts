import type { AccessMode, AppConfig, ChannelKind, DesiredState, Unpaid } from '@svc/app'
import type { AccountRole, ProjectRole } from '@svc/access'
import type { Capability } from '@svc/facts'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { AppExchangeTable, AppFront, AppVisitRow } from './apps.table.ts'
import { unpaid } from './billing.ts'

/** All that the host of an app stands for, read in one statement. */
export interface AppPlace {
  readonly channel_id: string
  readonly kind: ChannelKind
  readonly app_id: string
  readonly account_id: string
  readonly project_id: string
  readonly name: string
  readonly declared: boolean
  readonly desired: DesiredState
  readonly access_mode: AccessMode
  readonly password_hash: string | null
  readonly policy_revision: number
  readonly max_concurrency: number
  /** Whether the project may have apps. */
  readonly feature: {
    readonly project: boolean | null
    readonly account: boolean | null
    readonly platform: boolean | null
    readonly available: boolean
  }
  readonly suspended: boolean
  readonly release_id: string | null
  readonly config: AppConfig | null
  readonly provider: string | null
  /** The live instance of the release, where it has one. */
  readonly instance: {
    readonly instance_id: string
    readonly state: 'starting' | 'healthy'
    readonly endpoint: AppFront | null
  } | null
  /** The newest instance of the release, where that failed. */
  readonly failed: { readonly at: Date; readonly reason: string | null } | null
  /** Money of this month in micro-dollars; null without a cap. */
  readonly cap_micros: number | null
  readonly spent_micros: number
  /** Why billing refuses its programs. */
  readonly unpaid: Unpaid | null
}

/** The open channel of a label, of a project that is there; a preview's only while its change request is open. */
export async function findPlace(db: Db, label: string, now: Date): Promise<AppPlace | undefined> {
  const { rows } = await sql<
    AppPlace & { readonly failed_at: Date | null; readonly failed_reason: string | null }
  >`
    select c.channel_id, c.kind, a.app_id, a.account_id, a.project_id, a.name, a.declared, a.desired, a.access_mode, a.password_hash,
      a.policy_revision, a.max_concurrency, o.suspended_at is not null as suspended, r.release_id, r.config,
      r.provider, case when i.instance_id is not null then json_build_object('instance_id', i.instance_id,
        'state', i.state, 'endpoint', i.endpoint) end as instance,
      case when n.state = 'failed' then n.finished_at end as failed_at, n.reason as failed_reason,
      coalesce(a.budget_micros, (select (rules ->> 'budget_micros')::bigint from app_platform)) as cap_micros,
      coalesce((select m.cost_micros from app_months m where m.app_id = a.app_id
        and m.month = date_trunc('month', ${now}::timestamptz at time zone 'utc')::date), 0) as spent_micros,
      case when r.config ? 'run' then ${unpaid(now)} end as unpaid,
      json_build_object('project', pf.enabled, 'account', af.enabled, 'platform', lf.enabled_by_default,
        'available', coalesce(lf.available, true)) as feature
    from app_channels c
    join apps a on a.app_id = c.app_id
    join projects p on p.project_id = a.project_id and p.status = 'active'
    join accounts o on o.account_id = a.account_id
    left join app_releases r on r.release_id = c.current_release_id
    left join app_instances i on i.release_id = r.release_id and i.state in ('starting', 'healthy')
    left join lateral (select * from app_instances where release_id = r.release_id
      order by created_at desc limit 1) n on true
    left join change_requests cr on cr.cr_id = c.cr_id
    left join project_features pf on pf.project_id = a.project_id and pf.feature = 'apps'
    left join account_features af on af.account_id = a.account_id and af.feature = 'apps'
    left join platform_features lf on lf.feature = 'apps'
    where c.label = ${label} and c.closed_at is null and (c.cr_id is null or cr.status = 'open')`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { failed_at, failed_reason, ...place } = row
  return { ...place, failed: failed_at && { at: failed_at, reason: failed_reason } }
}

/** A person as they are to one app. */
export interface AppViewerFacts {
  readonly account_role: AccountRole | null
  readonly member_role: ProjectRole | null
  readonly extra: readonly Capability[] | null
  readonly listed: boolean
}

export async function viewerFacts(db: Db, app_id: string, user_id: string): Promise<AppViewerFacts> {
  const { rows } = await sql<AppViewerFacts>`
    select m.role as account_role, pm.role as member_role, ar.capabilities as extra,
      (m.user_id is not null and exists (select from app_viewers v where v.app_id = a.app_id and (v.user_id = ${user_id}
        or v.group_id in (select g.group_id from scim_group_members g
          where g.account_id = a.account_id and g.user_id = ${user_id})))) as listed
    from apps a
    left join account_members m on m.account_id = a.account_id and m.user_id = ${user_id}
    left join project_members pm on pm.project_id = a.project_id and pm.user_id = ${user_id}
    left join account_roles ar on ar.role_id = pm.role_id
    where a.app_id = ${app_id}`.execute(db)
  return rows[0] ?? { account_role: null, member_role: null, extra: null, listed: false }
}

/** The last three releases that a channel showed within a day, but for the one that it shows. */
export async function earlierReleases(
  db: Db,
  { channel_id, release_id }: { readonly channel_id: string; readonly release_id: string },
  now: Date,
): Promise<string[]> {
  const since = new Date(now.getTime() - 86_400_000)
  const { rows } = await sql<{ release_id: string }>`
    select s.from_release_id as release_id from app_switches s
    join app_releases r on r.release_id = s.from_release_id
    where s.channel_id = ${channel_id} and s.at > ${since} and s.from_release_id <> ${release_id}
    group by s.from_release_id order by max(s.seq) desc limit 3`.execute(db)
  return rows.map((row) => row.release_id)
}

export async function addExchange(tx: Db, exchange: Omit<AppExchangeTable, 'used_at'>): Promise<void> {
  await tx
    .insertInto('app_exchanges')
    .values({ ...exchange, used_at: null })
    .execute()
}

/** Spends a code: the second who asks gets nothing. */
export async function takeExchange(
  db: Db,
  { code_hash, channel_id }: Pick<AppExchangeTable, 'code_hash' | 'channel_id'>,
  now: Date,
) {
  return db
    .updateTable('app_exchanges')
    .set({ used_at: now })
    .where('code_hash', '=', code_hash)
    .where('channel_id', '=', channel_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['viewer', 'return_path', 'policy_revision'])
    .executeTakeFirst()
}

export async function addVisit(db: Db, visit: AppVisitRow): Promise<void> {
  await db.insertInto('app_visits').values(visit).execute()
}

export async function findVisit(
  db: Db,
  { token_hash, channel_id }: Pick<AppVisitRow, 'token_hash' | 'channel_id'>,
  now: Date,
): Promise<Pick<AppVisitRow, 'viewer' | 'policy_revision' | 'expires_at'> | undefined> {
  return db
    .selectFrom('app_visits')
    .select(['viewer', 'policy_revision', 'expires_at'])
    .where('token_hash', '=', token_hash)
    .where('channel_id', '=', channel_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function endVisit(db: Db, token_hash: Buffer): Promise<void> {
  await db.deleteFrom('app_visits').where('token_hash', '=', token_hash).execute()
}

/** Removes what is over, at most `limit` of each; how many there were. */
export async function removeExpired(db: Db, now: Date, limit: number): Promise<number> {
  let removed = 0
  for (const [table, key] of [
    ['app_visits', 'token_hash'],
    ['app_exchanges', 'code_hash'],
  ] as const) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where expires_at <= ${now} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
    removed += Number(numAffectedRows ?? 0)
  }
  return removed
}
