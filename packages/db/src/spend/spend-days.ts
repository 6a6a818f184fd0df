import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Removes the oldest calls from before then and adds them to the sums of their days, in one statement: spend is days plus
 * calls. How many calls went.
 */
export async function sumUp(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from gateway_calls where call_id in
        (select call_id from gateway_calls where at < ${before} and not live order by at limit ${limit})
      returning *
    ), sums as (
      insert into gateway_spend_days as d (day, account_id, project_id, session_id, trigger_slug, agent_name, token_id,
          model, provider, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, unpriced_calls,
          cost_micros, billed_micros)
        select (at at time zone 'UTC')::date, account_id, project_id, session_id, trigger_slug, agent_name, token_id,
          model, provider, count(*), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens),
          sum(cache_write_tokens), count(*) filter (where cost_micros is null), coalesce(sum(cost_micros), 0),
          sum(billed_micros)
        from gone where status <> 'refused' group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        on conflict (project_id, day, session_id, trigger_slug, agent_name, token_id, provider, model, account_id)
        do update set calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens,
          output_tokens = d.output_tokens + excluded.output_tokens,
          cache_read_tokens = d.cache_read_tokens + excluded.cache_read_tokens,
          cache_write_tokens = d.cache_write_tokens + excluded.cache_write_tokens,
          unpriced_calls = d.unpriced_calls + excluded.unpriced_calls, cost_micros = d.cost_micros + excluded.cost_micros,
          billed_micros = d.billed_micros + excluded.billed_micros
    )
    select count(*)::int as removed from gone`.execute(db)
  return rows[0]?.removed ?? 0
}
