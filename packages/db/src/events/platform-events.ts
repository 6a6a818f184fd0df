import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { PlatformEventRow } from './events.table.ts'

/** Accounts with events that have no sequence yet. */
export async function unpublishedAccounts(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('platform_events')
    .select('account_id')
    .distinct()
    .where('seq', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/** Holds the end of the account's sequence until the transaction ends, and tells it. */
export async function lockHead(tx: Db, account_id: string): Promise<number> {
  await tx
    .insertInto('platform_event_heads')
    .values({ account_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { last_seq } = await tx
    .selectFrom('platform_event_heads')
    .select('last_seq')
    .where('account_id', '=', account_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return last_seq
}

/** Gives the oldest events without one a sequence each, from `last_seq` on; the caller holds the head. */
export async function publish(
  tx: Db,
  { account_id, last_seq, now, limit }: { account_id: string; last_seq: number; now: Date; limit: number },
): Promise<PlatformEventRow[]> {
  const { rows } = await sql<PlatformEventRow>`
    with next as (
      select event_id, ${last_seq}::bigint + row_number() over (order by position) as seq
      from (select event_id, position from platform_events
        where account_id = ${account_id} and seq is null order by position limit ${limit}) waiting
    ), head as (
      update platform_event_heads set last_seq = ${last_seq} + (select count(*) from next)
      where account_id = ${account_id}
    )
    update platform_events e set seq = next.seq, published_at = ${now}
    from next where e.event_id = next.event_id
    returning e.*`.execute(tx)
  return rows.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
}

/** One event that no row tells by itself, such as a trial; its id. */
export async function record(
  tx: Db,
  event: Pick<PlatformEventRow, 'account_id' | 'project_id' | 'type'> & { readonly data: object },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`select record_platform_event(${event.account_id}::uuid,
    ${event.project_id}::uuid, null, ${event.type}, ${JSON.stringify(event.data)}::jsonb) as id`.execute(tx)
  return rows[0]?.id ?? ''
}

export interface EventQuery {
  readonly account_id: string
  /** Null for every project of the account. */
  readonly project_id: string | null
  /** Whole types; null for all. */
  readonly types: readonly string[] | null
  readonly after: number
  readonly limit: number
}

/** Published ones in order of their sequence. */
export async function list(db: Db, query: EventQuery): Promise<PlatformEventRow[]> {
  const { account_id, project_id, types, after, limit } = query
  let rows = db
    .selectFrom('platform_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('seq', '>', after)
  if (project_id !== null) rows = rows.where('project_id', '=', project_id)
  if (types !== null) rows = rows.where('type', 'in', types)
  return rows.orderBy('seq').limit(limit).execute()
}

/** The sequence of the newest event, and of the oldest that is kept; null while none is. */
export async function bounds(
  db: Db,
  account_id: string,
): Promise<{ readonly first: number | null; readonly last: number }> {
  const [head, first] = await Promise.all([
    db
      .selectFrom('platform_event_heads')
      .select('last_seq')
      .where('account_id', '=', account_id)
      .executeTakeFirst(),
    db
      .selectFrom('platform_events')
      .select('seq')
      .where('account_id', '=', account_id)
      .where('seq', 'is not', null)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst(),
  ])
  return { first: first?.seq ?? null, last: head?.last_seq ?? 0 }
}

export async function find(
  db: Db,
  { account_id, event_id }: { readonly account_id: string; readonly event_id: string },
): Promise<PlatformEventRow | undefined> {
  return db
    .selectFrom('platform_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .executeTakeFirst()
}

/** Removes events from before, with their deliveries; how many. */
export async function forget(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('platform_events')
    .where('event_id', 'in', (from) =>
      from
        .selectFrom('platform_events')
        .select('event_id')
        .where('occurred_at', '<', before)
        .where('seq', 'is not', null)
        .orderBy('occurred_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Published events that wait to be delivered, and the age of the oldest, in seconds. */
export async function lag(db: Db, now: Date): Promise<number> {
  const row = await db
    .selectFrom('platform_events')
    .select((from) => from.fn.min('occurred_at').as('oldest'))
    .where('seq', 'is', null)
    .executeTakeFirst()
  return row?.oldest == null ? 0 : Math.max(0, (now.getTime() - new Date(row.oldest).getTime()) / 1000)
}
