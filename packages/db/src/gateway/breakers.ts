import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Failures of a key within this time open its breaker. */
const windowSeconds = 60
const openSeconds = 30
const failuresToOpen = 5

export interface BreakerKey {
  readonly provider_id: string
  /** The provider's own id where it has no key. */
  readonly key_id: string
}

/** Counts a failure: the fifth within a minute, or one of a probe, opens the breaker for half a minute. */
export async function fail(db: Db, { provider_id, key_id }: BreakerKey, now: Date): Promise<void> {
  const at = sql`${now}::timestamptz`
  const reopened = sql`${at} + make_interval(secs => ${openSeconds})`
  await sql`insert into gateway_breakers as b (provider_id, key_id, state, failures, since, probe_at)
    values (${provider_id}, ${key_id}, 'closed', 1, ${at}, null)
    on conflict (provider_id, key_id) do update set
      failures = case when b.state = 'closed' and b.since < ${at} - make_interval(secs => ${windowSeconds})
        then 1 else b.failures + 1 end,
      since = case when b.state = 'closed' and b.since >= ${at} - make_interval(secs => ${windowSeconds})
        and b.failures + 1 < ${failuresToOpen} then b.since else ${at} end,
      state = case when b.state <> 'closed' or (b.failures + 1 >= ${failuresToOpen}
        and b.since >= ${at} - make_interval(secs => ${windowSeconds})) then 'open' else 'closed' end,
      probe_at = case when b.state <> 'closed' or (b.failures + 1 >= ${failuresToOpen}
        and b.since >= ${at} - make_interval(secs => ${windowSeconds})) then ${reopened} else null end`.execute(
    db,
  )
}

/** Takes the one probe of an open breaker whose time has come; false when another process has it. */
export async function probe(db: Db, { provider_id, key_id }: BreakerKey, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gateway_breakers')
    .set({ state: 'half_open', probe_at: sql`${now}::timestamptz + make_interval(secs => ${openSeconds})` })
    .where('provider_id', '=', provider_id)
    .where('key_id', '=', key_id)
    .where('state', '<>', 'closed')
    .where('probe_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A call that went well ends what was counted. */
export async function close(db: Db, { provider_id, key_id }: BreakerKey): Promise<void> {
  await db
    .deleteFrom('gateway_breakers')
    .where('provider_id', '=', provider_id)
    .where('key_id', '=', key_id)
    .execute()
}

/** Breakers that keep calls away, and those whose probe runs. */
export async function countOpen(db: Db): Promise<{ readonly open: number; readonly half_open: number }> {
  const { rows } = await sql<{ open: number; half_open: number }>`
    select count(*) filter (where state = 'open')::integer as open,
      count(*) filter (where state = 'half_open')::integer as half_open from gateway_breakers`.execute(db)
  return rows[0] ?? { open: 0, half_open: 0 }
}
