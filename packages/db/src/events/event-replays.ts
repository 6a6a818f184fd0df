import type { EventDeliveryState } from '@svc/event/states'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { EventDeliveryRow } from './events.table.ts'

export interface ReplayQuery {
  readonly account_id: string
  readonly project_id: string | null
  readonly subscription_id: string
  readonly since: Date
  readonly until: Date
  /** Only events whose latest delivery is in one of these; null for all. */
  readonly states: readonly EventDeliveryState[] | null
}

export interface Replayable {
  readonly event_id: string
  readonly type: string
  /** The number of the next delivery; null while one of the event waits. */
  readonly replay: number | null
}

/** Published events of a time with what a replay of each would be, in order of their sequence. */
export async function list(tx: Db, query: ReplayQuery, limit: number): Promise<Replayable[]> {
  const { account_id, project_id, subscription_id, since, until, states } = query
  return replayRows(
    tx,
    subscription_id,
    sql`e.account_id = ${account_id} and e.seq is not null
    and (${project_id}::uuid is null or e.project_id = ${project_id}::uuid)
    and e.occurred_at >= ${since} and e.occurred_at < ${until}
    and (${states}::text[] is null or d.state = any(${states}::text[]))`,
    limit,
  )
}

/** The same for one event. */
export async function findOne(
  tx: Db,
  { subscription_id, event_id }: Pick<EventDeliveryRow, 'subscription_id' | 'event_id'>,
): Promise<Replayable | undefined> {
  const [row] = await replayRows(tx, subscription_id, sql`e.event_id = ${event_id} and e.seq is not null`, 1)
  return row
}

async function replayRows(
  tx: Db,
  subscription_id: string,
  which: ReturnType<typeof sql>,
  limit: number,
): Promise<Replayable[]> {
  const { rows } = await sql<Replayable>`
    select e.event_id, e.type,
      case when d.state in ('pending', 'sending', 'failed') then null else coalesce(d.replay + 1, 0) end as replay
    from platform_events e
    left join lateral (select state, replay from event_deliveries
      where subscription_id = ${subscription_id} and event_id = e.event_id order by replay desc limit 1) d on true
    where ${which} order by e.seq limit ${limit}`.execute(tx)
  return rows
}
