import type { SpendGroup } from '@svc/facts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

/** The rows that are summed up: of a project, an account with all of its projects, or the platform. */
export interface SpendScope {
  readonly account_id?: string | undefined
  readonly project_id?: string | undefined
}

/** Groups that an account and an operator have beside those of a project. */
export type WideSpendGroup = SpendGroup | 'project' | 'account'

export interface SpendSums {
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
  readonly unpriced_calls: number
  readonly cost_micros: number
  readonly billed_micros: number
}

export type SpendRow = SpendSums & Readonly<Partial<Record<WideSpendGroup, string | null>>>

const columnOf = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  model: sql.ref('model'),
  provider: sql.ref('provider'),
  agent: sql.ref('agent_name'),
  session: sql.ref('session_id'),
  trigger: sql.ref('trigger_slug'),
  key: sql.ref('token_id'),
  project: sql.ref('project_id'),
  account: sql.ref('account_id'),
} as const satisfies Record<WideSpendGroup, RawBuilder<unknown>>

/** The group of this name; a name that is none is a defect of the caller. */
export function spendGroupOf(name: string): WideSpendGroup {
  if (isGroup(name)) return name
  throw new TypeError(`${name} is no group of spend`)
}

const isGroup = (name: string): name is WideSpendGroup => Object.hasOwn(columnOf, name)

/** Sums of ended and running calls from one day to another, both within: the days that are kept, and the calls that are. */
export async function sums(
  db: Db,
  { account_id, project_id }: SpendScope,
  {
    groups,
    since,
    until,
    limit,
  }: {
    readonly groups: readonly WideSpendGroup[]
    readonly since: string
    readonly until: string
    readonly limit: number
  },
): Promise<SpendRow[]> {
  const scope = [
    ...(account_id === undefined ? [] : [sql`account_id = ${account_id}::uuid`]),
    ...(project_id === undefined ? [] : [sql`project_id = ${project_id}::uuid`]),
  ]
  const days = [...scope, sql`day between ${since}::date and ${until}::date`]
  const calls = [
    ...scope,
    sql`at >= ${since}::date::timestamp at time zone 'UTC'`,
    sql`at < (${until}::date + 1)::timestamp at time zone 'UTC'`,
    sql`status <> 'refused'`,
  ]
  const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
  const named = groups.map((group) => sql`${columnOf[group]} as ${sql.ref(group)}`)
  const positions = groups.map((_, index) => sql.lit(index + 1))
  const grouped = groups.length === 0 ? sql`having count(*) > 0` : sql`group by ${sql.join(positions)}`
  const ordered = groups.length === 0 ? sql`` : sql`order by ${sql.join(positions)}`
  const { rows } = await sql<SpendRow>`
    select ${named.length === 0 ? sql`` : sql`${sql.join(named)},`}
      sum(calls)::bigint as calls, sum(input_tokens)::bigint as input_tokens,
      sum(output_tokens)::bigint as output_tokens, sum(cache_read_tokens)::bigint as cache_read_tokens,
      sum(cache_write_tokens)::bigint as cache_write_tokens, sum(unpriced_calls)::bigint as unpriced_calls,
      sum(cost_micros)::bigint as cost_micros, sum(billed_micros)::bigint as billed_micros
    from (
      select day, account_id, project_id, session_id, trigger_slug, agent_name, token_id, model, provider, calls,
        input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, unpriced_calls, cost_micros, billed_micros
      from gateway_spend_days where ${and(days)}
      union all
      select (at at time zone 'UTC')::date, account_id, project_id, session_id, trigger_slug, agent_name, token_id,
        model, provider, 1, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
        case when cost_micros is null and not live then 1 else 0 end, coalesce(cost_micros, 0), billed_micros
      from gateway_calls where ${and(calls)}
    ) spent
    ${grouped} ${ordered} limit ${limit}`.execute(db)
  return rows
}
