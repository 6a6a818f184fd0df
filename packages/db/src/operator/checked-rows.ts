import { changeRequestMachine } from '@svc/change-request'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { live } from '../kit/live.ts'
import type { ProjectRow } from '../projects/projects.table.ts'

interface OfProject {
  readonly project_id: string | null
}

const only = ({ project_id }: OfProject) =>
  sql<boolean>`(${project_id}::uuid is null or project_id = ${project_id}::uuid)`

/** Active projects in the order of their ids, from behind `after`. */
export async function projects(
  db: Db,
  query: OfProject & { readonly after: string | null; readonly limit: number },
): Promise<ProjectRow[]> {
  let rows = db.selectFrom('projects').selectAll().where('status', '=', 'active').where(only(query))
  if (query.after !== null) rows = rows.where('project_id', '>', query.after)
  return rows.orderBy('project_id').limit(query.limit).execute()
}

export interface MergedChangeRequest {
  readonly cr_id: string
  readonly number: number
  readonly base_ref: string
  readonly merge_commit_sha: string
}

/** The merged ones of a project and the commits that they became. */
export async function merged(db: Db, project_id: string): Promise<MergedChangeRequest[]> {
  const rows = await db
    .selectFrom('change_requests')
    .select(['cr_id', 'number', 'base_ref', 'merge_commit_sha'])
    .where('project_id', '=', project_id)
    .where('status', '=', changeRequestMachine.to('merge'))
    .orderBy('number')
    .execute()
  return rows.flatMap(({ merge_commit_sha, ...row }) =>
    merge_commit_sha === null ? [] : [{ ...row, merge_commit_sha }],
  )
}

/** Those of a project that may be merged and that no merge-worker is about to. */
export async function unmerged(db: Db, project_id: string) {
  return db
    .selectFrom('change_requests')
    .select(['cr_id', 'number', 'base_ref', 'head_ref', 'head_commit_sha', 'created_at'])
    .where('project_id', '=', project_id)
    .where('status', 'in', changeRequestMachine.from('merge'))
    .where(
      sql<boolean>`not exists (select from merge_intents i where i.cr_id = change_requests.cr_id and i.state = 'planned')`,
    )
    .orderBy('number')
    .execute()
}

/** Planned moves of a base since before, whose end is not written. */
export async function unfinishedIntents(
  db: Db,
  { project_id, before }: OfProject & { readonly before: Date },
) {
  return db
    .selectFrom('merge_intents as i')
    .innerJoin('merge_attempts as a', 'a.attempt_id', 'i.attempt_id')
    .select([
      'i.intent_id',
      'i.attempt_id',
      'i.cr_id',
      'i.base_ref',
      'i.commit_sha',
      'a.project_id',
      'a.status',
    ])
    .where('i.state', '=', 'planned')
    .where('i.created_at', '<', before)
    .where(sql<boolean>`(${project_id}::uuid is null or a.project_id = ${project_id}::uuid)`)
    .orderBy('i.created_at')
    .execute()
}

/** The branches of sessions that run. The sandbox of a project's monitors has none. */
export async function liveBranches(db: Db, project_id: string) {
  return db
    .selectFrom('project_sessions')
    .select(['session_id', 'branch_name'])
    .where('project_id', '=', project_id)
    .where('status', '=', 'running')
    .where('deleted_at', 'is', null)
    .where('origin', '<>', 'system')
    .orderBy('session_id')
    .execute()
}

export interface CounterBehind {
  readonly subject: string
  readonly counter: number
  readonly highest: number
}

/** Projects that would give a number a second time. */
export async function crNumbersBehind(db: Db, { project_id }: OfProject): Promise<CounterBehind[]> {
  const { rows } = await sql<CounterBehind>`
    select p.project_id as subject, p.last_cr_number as counter, c.highest from projects p
    cross join lateral (select max(number) as highest from change_requests c where c.project_id = p.project_id) c
    where c.highest > p.last_cr_number and (${project_id}::uuid is null or p.project_id = ${project_id}::uuid)
    order by 1`.execute(db)
  return rows
}

export async function raiseCrNumber(db: Db, project_id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update projects set last_cr_number = c.highest
    from (select max(number) as highest from change_requests where project_id = ${project_id}) c
    where project_id = ${project_id} and last_cr_number < c.highest`.execute(db)
  return numAffectedRows === 1n
}

/** Sessions that are live and would give the place of an event in their log a second time. */
export async function eventSeqsBehind(db: Db): Promise<CounterBehind[]> {
  const { rows } = await sql<CounterBehind>`
    select s.session_id as subject, s.last_event_seq as counter, e.highest from project_sessions s
    cross join lateral (select greatest(
      (select max(seq) from session_events e where e.session_id = s.session_id),
      (select max(last_seq) from event_archives a where a.session_id = s.session_id)) as highest) e
    where s.status in ${live} and s.deleted_at is null and e.highest > s.last_event_seq order by 1`.execute(
    db,
  )
  return rows
}

export async function raiseEventSeq(db: Db, session_id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update project_sessions s set last_event_seq = e.highest
    from (select greatest((select max(seq) from session_events where session_id = ${session_id}),
      (select max(last_seq) from event_archives where session_id = ${session_id})) as highest) e
    where s.session_id = ${session_id} and s.last_event_seq < e.highest`.execute(db)
  return numAffectedRows === 1n
}

export interface RunningSandbox {
  readonly session_id: string
  readonly project_id: string
  readonly external_id: string
  readonly provider: string | null
  readonly machine: string | null
}

/** Sandboxes that should run. */
export async function runningSandboxes(db: Db, { project_id }: OfProject): Promise<RunningSandbox[]> {
  const { rows } = await sql<RunningSandbox>`
    select b.session_id, s.project_id, b.external_id, b.provider, b.machine
    from session_sandboxes b join project_sessions s using (session_id)
    where b.status = 'active' and b.owed is null and b.external_id is not null and s.status = 'running'
      and s.deleted_at is null and (${project_id}::uuid is null or s.project_id = ${project_id}::uuid)
    order by 1`.execute(db)
  return rows
}

/** Of these, the ones that a row names: of a session, of what a session left behind, or of the warm pool. */
export async function namedSandboxes(db: Db, external_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from session_sandboxes
      where external_id = any(${external_ids}::text[]) and status <> 'archived'
    union select r from session_sandboxes b, unnest(b.retired) r
      where b.retired <> '{}' and r = any(${external_ids}::text[])
    union select external_id from warm_sandboxes where external_id = any(${external_ids}::text[])`.execute(db)
  return new Set(rows.map(({ external_id }) => external_id))
}

/** The ids, as a provider is given them, of sandboxes that are being made and that their rows do not name yet. */
export async function sandboxesInMaking(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sandbox_id: string }>`
    select session_id::text as sandbox_id from session_sandboxes
      where status = 'provisioning' and external_id is null
    union all select warm_id::text from warm_sandboxes where external_id is null`.execute(db)
  return rows.map(({ sandbox_id }) => sandbox_id)
}

export async function accountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('audit_heads').select('account_id').orderBy('account_id').execute()
  return rows.map(({ account_id }) => account_id)
}
