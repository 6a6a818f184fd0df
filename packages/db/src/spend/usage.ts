import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'

/** The calls of models of a session, and what they cost. */
export interface ModelUsage {
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** Of those that have a price. */
  readonly cost_micros: number
  readonly unpriced_calls: number
}

export const noModelUsage: ModelUsage = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  unpriced_calls: 0,
}

interface UsageQuery {
  readonly project_id: string
  readonly session_ids: readonly string[]
}

/** By session; one without calls is not among them. Refused calls are none. */
export async function ofSessions(
  db: Db,
  { project_id, session_ids }: UsageQuery,
): Promise<ReadonlyMap<string, ModelUsage>> {
  if (session_ids.length === 0) return new Map()
  const { rows } = await sql<ModelUsage & { readonly session_id: string }>`${prepared}
    select session_id, sum(calls)::bigint as calls, sum(input_tokens)::bigint as input_tokens,
      sum(output_tokens)::bigint as output_tokens, sum(cost_micros)::bigint as cost_micros,
      sum(unpriced_calls)::bigint as unpriced_calls
    from (
      select session_id, 1 as calls, input_tokens, output_tokens, coalesce(cost_micros, 0) as cost_micros,
        (cost_micros is null and not live)::int as unpriced_calls
      from gateway_calls
      where session_id = any(${session_ids}::uuid[]) and project_id = ${project_id} and status <> 'refused'
      union all
      select session_id, calls, input_tokens, output_tokens, cost_micros, unpriced_calls from gateway_spend_days
      where session_id = any(${session_ids}::uuid[]) and project_id = ${project_id}
    ) of_all group by session_id`.execute(db)
  return new Map(rows.map(({ session_id, ...usage }) => [session_id, usage]))
}
