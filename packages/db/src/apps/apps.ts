import type { AppEventType, ChannelKind } from '@svc/app'
import type { Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { notify } from '../kit/listen.ts'
import type { AppChannelRow, AppEventRow, AppRow, AppTable } from './apps.table.ts'

export interface AppKey {
  readonly project_id: string
  readonly name: string
}

export async function find(db: Db, { project_id, name }: AppKey): Promise<AppRow | undefined> {
  return db
    .selectFrom('apps')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lock(tx: Db, app_id: string): Promise<AppRow | undefined> {
  return tx.selectFrom('apps').selectAll().where('app_id', '=', app_id).forUpdate().executeTakeFirst()
}

export async function list(db: Db, project_id: string): Promise<AppRow[]> {
  return db.selectFrom('apps').selectAll().where('project_id', '=', project_id).orderBy('name').execute()
}

export type NewApp = Pick<
  AppRow,
  'app_id' | 'account_id' | 'project_id' | 'name' | 'type' | 'declared' | 'budget_micros' | 'created_at'
>

/** One that the project never had: private, and to be served. Undefined when another made it meanwhile. */
export async function insert(tx: Db, app: NewApp): Promise<AppRow | undefined> {
  return tx
    .insertInto('apps')
    .values({
      ...app,
      desired: 'serving',
      access_mode: 'private',
      password_hash: null,
      policy_revision: 1,
      max_concurrency: 100,
      preview_secrets: [],
      last_number: 0,
      last_event_seq: 0,
      last_line_seq: 0,
      updated_at: app.created_at,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function setDeclared(
  tx: Db,
  app_id: string,
  declared: boolean,
  { type, budget_micros }: Pick<AppRow, 'type' | 'budget_micros'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('apps')
    .set({ declared, type, budget_micros, updated_at: now })
    .where('app_id', '=', app_id)
    .execute()
}

export type AppChange = Pick<
  Updateable<AppTable>,
  'desired' | 'access_mode' | 'password_hash' | 'max_concurrency' | 'preview_secrets'
>

/** Changes what is given. `closes` ends every way in that was given before. */
export async function update(
  tx: Db,
  app_id: string,
  change: AppChange,
  { closes, now }: { readonly closes: boolean; readonly now: Date },
): Promise<AppRow> {
  return tx
    .updateTable('apps')
    .set({ ...change, updated_at: now })
    .set((eb) => ({ policy_revision: eb('policy_revision', '+', closes ? 1 : 0) }))
    .where('app_id', '=', app_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface AppViewer {
  readonly user_id: string | null
  readonly group_id: string | null
}

export async function viewers(db: Db, app_ids: readonly string[]) {
  if (app_ids.length === 0) return []
  return db.selectFrom('app_viewers').selectAll().where('app_id', 'in', app_ids).execute()
}

export async function setViewers(tx: Db, app_id: string, listed: readonly AppViewer[]): Promise<void> {
  await tx.deleteFrom('app_viewers').where('app_id', '=', app_id).execute()
  if (listed.length === 0) return
  await tx
    .insertInto('app_viewers')
    .values(listed.map((one) => ({ ...one, app_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Viewers that are no person and no group of the account. */
export async function strangers(
  db: Db,
  account_id: string,
  listed: readonly AppViewer[],
): Promise<AppViewer[]> {
  const { rows } = await sql<AppViewer>`
    select v.user_id, v.group_id from jsonb_to_recordset(${jsonb(listed)}::jsonb) as v (user_id uuid, group_id uuid)
    where not exists (select from account_members m where m.account_id = ${account_id} and m.user_id = v.user_id)
      and not exists (select from scim_groups g where g.account_id = ${account_id} and g.group_id = v.group_id)`.execute(
    db,
  )
  return rows
}

/** Writes an event of an app, and notifies those who look. */
export async function record(
  tx: Db,
  { app_id, project_id }: Pick<AppRow, 'app_id' | 'project_id'>,
  type: AppEventType,
  data: Readonly<Record<string, unknown>>,
  at: Date,
): Promise<void> {
  await sql`with counted as (
      update apps set last_event_seq = last_event_seq + 1 where app_id = ${app_id} returning last_event_seq)
    insert into app_events (app_id, seq, type, data, at)
    select ${app_id}, last_event_seq, ${type}, ${jsonb(data)}::jsonb, ${at} from counted`.execute(tx)
  await notify(tx, 'apps', { project_id })
}

export async function events(
  db: Db,
  app_id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AppEventRow[]> {
  return db
    .selectFrom('app_events')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export type NewChannel = Pick<
  AppChannelRow,
  'channel_id' | 'app_id' | 'project_id' | 'kind' | 'cr_id' | 'created_at'
>

/** A new address under the first of these labels that is free. */
export async function addChannel(
  tx: Db,
  channel: NewChannel,
  labels: readonly string[],
): Promise<AppChannelRow> {
  for (const label of labels) {
    const row = await tx
      .insertInto('app_channels')
      .values({ ...channel, label, current_release_id: null, floor_number: 0, seq: 0, closed_at: null })
      .onConflict((conflict) => conflict.column('label').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row !== undefined) return row
  }
  throw new Error(`Every label of ${labels.join(', ')} is taken`)
}

export interface ChannelOf {
  readonly app_id: string
  readonly kind: ChannelKind
  readonly cr_id: string | null
}

/** The open channel. */
export async function findChannel(
  db: Db,
  { app_id, kind, cr_id }: ChannelOf,
): Promise<AppChannelRow | undefined> {
  return db
    .selectFrom('app_channels')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('kind', '=', kind)
    .where('cr_id', cr_id === null ? 'is' : '=', cr_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

/** Locked until the transaction ends, by each that moves it. */
export async function lockChannel(tx: Db, channel_id: string): Promise<AppChannelRow | undefined> {
  return tx
    .selectFrom('app_channels')
    .selectAll()
    .where('channel_id', '=', channel_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function channels(db: Db, app_ids: readonly string[]): Promise<AppChannelRow[]> {
  if (app_ids.length === 0) return []
  return db.selectFrom('app_channels').selectAll().where('app_id', 'in', app_ids).execute()
}

/** True when this closed it. */
export async function closeChannel(tx: Db, channel_id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_channels')
    .set({ closed_at: now })
    .where('channel_id', '=', channel_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Previews of a project that are open. */
export async function countPreviews(db: Db, project_id: string): Promise<number> {
  const { open } = await db
    .selectFrom('app_channels')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('project_id', '=', project_id)
    .where('kind', '=', 'preview')
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return open
}

export async function findById(db: Db, app_id: string): Promise<AppRow | undefined> {
  return db.selectFrom('apps').selectAll().where('app_id', '=', app_id).executeTakeFirst()
}

/** The most recent events are kept; how many were removed. */
export async function removeEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from app_events where (app_id, seq) in (
    select app_id, seq from app_events where at < ${before} order by at limit ${limit} for update skip locked)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
