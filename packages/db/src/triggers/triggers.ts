import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db } from '../database.ts'
import { hasGateway } from '../gateway/has-gateway.ts'
import { live } from '../kit/live.ts'
import { notify } from '../kit/listen.ts'
import { prepared } from '../kit/prepared.ts'
import type { ProjectRow } from '../projects/projects.table.ts'
import type { Suspension } from '../accounts/accounts.table.ts'
import type { SessionCaps } from '../sessions/session-capacity.ts'
import type { ProjectTriggerRow, ProjectTriggerTable } from './triggers.table.ts'

export interface TriggerKey {
  readonly project_id: string
  readonly slug: string
}

export async function find(db: Db, key: TriggerKey): Promise<ProjectTriggerRow | undefined> {
  return rowOf(db, key).executeTakeFirst()
}

/** Fires of one trigger that look for a session to go on with take turns. */
export async function lock(tx: Db, key: TriggerKey): Promise<ProjectTriggerRow | undefined> {
  return rowOf(tx, key).forNoKeyUpdate().executeTakeFirst()
}

function rowOf(db: Db, { project_id, slug }: TriggerKey) {
  return db
    .selectFrom('project_triggers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('slug', '=', slug)
}

/** In the order of the manifest. */
export async function list(db: Db, project_id: string): Promise<ProjectTriggerRow[]> {
  return db
    .selectFrom('project_triggers')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('position')
    .execute()
}

type Written = Omit<Insertable<ProjectTriggerTable>, `last_${string}`>

/** Writes the triggers that a manifest declares and removes the others; what they did stays with those that stay. */
export async function replaceAll(tx: Db, project_id: string, rows: readonly Written[]): Promise<void> {
  await tx
    .deleteFrom('project_triggers')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`slug <> all(${rows.map((row) => row.slug)})`)
    .execute()
  for (const row of rows) {
    const { project_id: _, slug: __, created_at: ___, ...changes } = row
    await tx
      .insertInto('project_triggers')
      .values({ ...row, last_fired_at: null, last_status: null, last_error: null, last_attempt_at: null })
      .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doUpdateSet(changes))
      .execute()
  }
  await notify(tx, 'triggers', { project_id })
}

/** Notifies the schedulers that the due triggers may have changed. */
export async function notifyChanged(db: Db, project_id: string): Promise<void> {
  await notify(db, 'triggers', { project_id })
}

export async function patch(db: Db, key: TriggerKey, values: Updateable<ProjectTriggerTable>): Promise<void> {
  await db
    .updateTable('project_triggers')
    .set(values)
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .execute()
}

/** Puts a due trigger off, unless another process has moved it meanwhile. */
export async function putOff(db: Db, key: TriggerKey, due_at: Date): Promise<void> {
  await db
    .updateTable('project_triggers')
    .set({ due_at })
    .where('project_id', '=', key.project_id)
    .where('slug', '=', key.slug)
    .where('due_at', '<', due_at)
    .execute()
}

/** The trigger's project as a fire needs it, with the default model of its account. */
export type FiringProject = Pick<
  ProjectRow,
  'project_id' | 'account_id' | 'status' | 'created_by' | 'default_branch' | 'default_model'
> & { readonly account_model: string | null; readonly account_suspended: boolean }

export interface DueTrigger extends ProjectTriggerRow {
  readonly project: FiringProject
}

/** The trigger that has been due the longest and that no other worker has, locked until the transaction ends. */
export async function claimDue(tx: Db, now: Date): Promise<DueTrigger | undefined> {
  const { rows } = await sql<DueTrigger>`${prepared}
    with due as materialized (
      select project_id, slug, position, type, definition, agent, agent_error, enabled, next_fire_at, due_at,
        last_fired_at, last_status, last_error, last_attempt_at, created_at, updated_at
      from project_triggers where due_at <= ${now} order by due_at limit 1 for update skip locked
    )
    select due.*, jsonb_build_object('project_id', p.project_id, 'account_id', p.account_id, 'status', p.status,
      'created_by', p.created_by, 'default_branch', p.default_branch, 'default_model', p.default_model,
      'account_model', a.default_model, 'account_suspended', a.suspended_at is not null) as project
    from due join projects p on p.project_id = due.project_id join accounts a on a.account_id = p.account_id`.execute(
    tx,
  )
  return rows[0]
}

/** The time at which the next trigger is due; null when none is. */
export async function nextDue(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('project_triggers')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** The state of an account and a trigger that a new fire's session hangs on. */
export interface Standing {
  /** Sessions that hold a place of the account. */
  readonly live: number
  /** True when a create waits for one already. */
  readonly waiting: boolean
  /** Fires of the account that came and were not looked at yet, counted as far as was asked: each may take a place. */
  readonly pending: number
  /** True when an earlier fire of the trigger waits. */
  readonly earlier: boolean
}

/** The columns of a standing, of the trigger `k` in the project `p`. */
const standingTo = (count_to: RawBuilder<unknown>) => sql`
  (select count(*) from project_sessions s where s.account_id = p.account_id
    and s.status in ${live} and s.deleted_at is null and s.origin <> 'system') as live,
  exists (select from session_creates c where c.account_id = p.account_id) as waiting,
  (select count(*) from (
    select from projects o cross join lateral (
      select from trigger_fires f where f.project_id = o.project_id and f.status = 'pending' limit ${count_to}) as f
    where o.account_id = p.account_id limit ${count_to}) as counted) as pending,
  exists (select from trigger_fires f where f.project_id = k.project_id and f.slug = k.slug
    and f.status = 'queued' and f.type <> 'manual') as earlier`

/** All that a webhook's receiver needs, in one query. */
export interface ReceivingTrigger
  extends
    Pick<ProjectTriggerRow, 'project_id' | 'slug' | 'definition' | 'agent'>,
    Standing,
    SessionCaps,
    Suspension {
  readonly account_id: string
  readonly sealed_data_key: string
  readonly project_model: string | null
  readonly account_model: string | null
  readonly paused: boolean
  readonly has_gateway: boolean
  /** A budget, the plan or a list of models may stand against a session of the gateway's. */
  readonly may_be_refused: boolean
  /** A connection may be missing that its sessions need, or were given. */
  readonly may_be_unconnected: boolean
  /** The secret in force, then the one before it. */
  readonly secrets: readonly { readonly name: string; readonly sealed_value: string }[]
}

export interface ReceivingKey extends TriggerKey {
  /** The operator's cap for all accounts; null where there is none. */
  readonly session_cap: number | null
}

/** The enabled webhooks of active projects among these addresses, which are all different. Counts pending fires to the larger cap. */
export async function findReceiving(db: Db, keys: readonly ReceivingKey[]): Promise<ReceivingTrigger[]> {
  const project_ids = keys.map(({ project_id }) => project_id)
  const slugs = keys.map(({ slug }) => slug)
  const caps = keys.map(({ session_cap }) => session_cap)
  const count_to = sql`greatest(k.session_cap, plan.session_cap, a.limit_live_sessions)`
  const { rows } = await sql<ReceivingTrigger>`${prepared}
    select t.project_id, t.slug, t.definition, t.agent, p.account_id, p.sealed_data_key, p.default_model as project_model,
      a.default_model as account_model, coalesce(c.paused, false) as paused, plan.session_cap, a.limit_live_sessions,
      a.suspended_at, a.suspended_reason, ${standingTo(count_to)}, ${hasGateway(sql`p.project_id`)} as has_gateway,
      (plan.gateway <> 'managed' or plan.billing <> 'none'
        or exists (select from gateway_budgets b where b.account_id = p.account_id and b.mode = 'block'
          and (b.project_id is null or b.project_id = p.project_id))) as may_be_refused,
      (coalesce(jsonb_array_length(t.agent->'connectors_required'), 0) > 0
        or exists (select from trigger_bindings b where b.project_id = t.project_id and b.trigger_slug = t.slug))
        as may_be_unconnected,
      coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'sealed_value', s.sealed_value) order by s.name)
        from project_secrets s where s.project_id = p.project_id
        and s.name in (t.definition->>'secret_env', (t.definition->>'secret_env') || '_PREVIOUS')), '[]') as secrets
    from unnest(${project_ids}::uuid[], ${slugs}::text[], ${caps}::integer[]) as k (project_id, slug, session_cap)
    join project_triggers t on t.project_id = k.project_id and t.slug = k.slug and t.type = 'webhook' and t.enabled
    join projects p on p.project_id = t.project_id and p.status = 'active'
    join accounts a on a.account_id = p.account_id
    join plans plan on plan.tier = a.tier
    left join trigger_catalogues c on c.project_id = t.project_id`.execute(db)
  return rows
}

export interface TriggerStanding extends TriggerKey, Standing {
  readonly account_id: string
}

/** The standings of these triggers, which are all different. Counts no more than `count_to` pending fires of an account. */
export async function listStandings(
  db: Db,
  keys: readonly TriggerKey[],
  count_to: number,
): Promise<TriggerStanding[]> {
  const project_ids = keys.map(({ project_id }) => project_id)
  const slugs = keys.map(({ slug }) => slug)
  const { rows } = await sql<TriggerStanding>`${prepared}
    select k.project_id, k.slug, p.account_id, ${standingTo(sql`${count_to}::integer`)}
    from unnest(${project_ids}::uuid[], ${slugs}::text[]) as k (project_id, slug)
    join projects p on p.project_id = k.project_id`.execute(db)
  return rows
}
