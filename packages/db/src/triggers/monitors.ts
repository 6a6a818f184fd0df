import { sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import type { ProjectMonitorRow, ProjectMonitorTable } from './monitors.table.ts'
import type { TriggerKey } from './triggers.ts'
import type { ProjectTriggerRow } from './triggers.table.ts'

/** The monitors that are to run: of an active project that is not paused, in the order of the manifest. */
export async function listWanted(db: Db, project_id: string): Promise<ProjectTriggerRow[]> {
  const { rows } = await sql<ProjectTriggerRow>`
    select t.* from project_triggers t
    join projects p on p.project_id = t.project_id and p.status = 'active'
    join accounts a on a.account_id = p.account_id and a.suspended_at is null
    left join trigger_catalogues c on c.project_id = t.project_id
    where t.project_id = ${project_id} and t.type = 'monitor' and t.enabled and not coalesce(c.paused, false)
    order by t.position`.execute(db)
  return rows
}

/** The row of each monitor, with its log so far; the first look at a new one begins its epoch. */
export async function ensure(
  db: Db,
  project_id: string,
  fresh: readonly Pick<ProjectMonitorRow, 'slug' | 'epoch' | 'tokens' | 'tokens_at'>[],
): Promise<ProjectMonitorRow[]> {
  const known = await list(db, project_id)
  const missing = fresh.filter(({ slug }) => !known.some((row) => row.slug === slug))
  if (missing.length === 0) return known
  await db
    .insertInto('project_monitors')
    .values(missing.map((row) => ({ ...row, ...silent, project_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return list(db, project_id)
}

const silent = { suppressed_until: null, suppressed_fire_id: null, last_line_at: null, last_exit: null }

export async function list(db: Db, project_id: string): Promise<ProjectMonitorRow[]> {
  return db.selectFrom('project_monitors').selectAll().where('project_id', '=', project_id).execute()
}

export async function lock(tx: Db, { project_id, slug }: TriggerKey): Promise<ProjectMonitorRow | undefined> {
  return tx
    .selectFrom('project_monitors')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst()
}

export async function patch(
  db: Db,
  { project_id, slug }: TriggerKey,
  values: Updateable<ProjectMonitorTable>,
): Promise<void> {
  await db
    .updateTable('project_monitors')
    .set(values)
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
    .execute()
}

/** Changes the reason of a row that counts: the one thing in the ledger that goes on after it was written. */
export async function recount(db: Db, fire_id: string, reason: string): Promise<void> {
  await db
    .updateTable('trigger_fires')
    .set({ reason })
    .where('fire_id', '=', fire_id)
    .where('status', '=', 'skipped')
    .execute()
}

/** The columns of a monitor to show; its own are null before it was first looked at. */
export interface MonitorView {
  readonly slug: string
  readonly enabled: boolean
  readonly paused: boolean
  /** Its sandbox runs. */
  readonly live: boolean
  /** The reason that its sandbox does not. */
  readonly failure: string | null
  readonly unreached: string | null
  readonly state: ProjectMonitorRow['state'] | null
  readonly last_line_at: Date | null
  readonly last_exit: string | null
  readonly suppressed_until: Date | null
  readonly suppressed_total: number | null
}

export async function listViews(db: Db, project_id: string): Promise<MonitorView[]> {
  const { rows } = await sql<MonitorView>`
    select t.slug, t.enabled, coalesce(c.paused, false) as paused, coalesce(s.status = 'running', false) as live,
      s.failure ->> 'message' as failure, h.unreached, m.state, m.last_line_at, m.last_exit, m.suppressed_until, m.suppressed_total
    from project_triggers t
    left join trigger_catalogues c on c.project_id = t.project_id
    left join project_monitors m on m.project_id = t.project_id and m.slug = t.slug
    left join monitor_hosts h on h.project_id = t.project_id
    left join project_sessions s on s.session_id = h.session_id and s.deleted_at is null
    where t.project_id = ${project_id} and t.type = 'monitor'`.execute(db)
  return rows
}
