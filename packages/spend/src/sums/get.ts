import { type Context, requireAccount, requirePlatformAdmin, requireProject } from '@svc/context'
import { spend } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { csv } from './csv.ts'
import { type AskedDays, daysOf } from './days.ts'

type Asking = Pick<Context, 'db' | 'principal' | 'trail' | 'now'>

/** A project, an account with all of its projects, or the whole platform. */
export type SpendPlace =
  { readonly project_id: string } | { readonly account_id: string } | { readonly platform: true }

export interface SpendQuery extends AskedDays {
  /** Names of groups, with commas between them, in their order. */
  readonly group_by: string
}

const maxRows = 10_000
const sumNames = [
  ...(['calls', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const),
  ...(['unpriced_calls', 'cost_micros', 'billed_micros'] as const),
]

/** The spend of a place on models, by groups: the days that are kept, and the calls that are. */
export async function getSpend(ctx: Asking, place: SpendPlace, query: SpendQuery) {
  const scope = await enter(ctx, place)
  const days = daysOf(query, ctx.now())
  const groups = groupsOf(query)
  const asked = { ...days, groups, limit: maxRows + 1 }
  const [rows, [total]] = await Promise.all([
    spend.sums(ctx.db, scope, asked),
    spend.sums(ctx.db, scope, { ...asked, groups: [] }),
  ])
  if (rows.length > maxRows)
    throw new ServiceError(
      'invalid_request',
      `These are more than ${maxRows} rows; ask for fewer days, or for fewer groups`,
      { issues: [{ path: 'group_by', message: `must give at most ${maxRows} rows` }] },
    )
  return { ...days, rows, total: total ?? nothing }
}

/** The same as CSV, with the cost in US dollars beside it. */
export async function getSpendCsv(ctx: Asking, place: SpendPlace, query: SpendQuery): Promise<string> {
  const { rows } = await getSpend(ctx, place, query)
  const columns = [...groupsOf(query), ...sumNames, 'cost_usd']
  return csv(
    columns,
    rows.map((row) => ({ ...row, cost_usd: dollars(row.cost_micros) })),
  )
}

const nothing = {
  ...{ calls: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
  ...{ unpriced_calls: 0, cost_micros: 0, billed_micros: 0 },
}

/** The contract's list of groups of the place has let them through. */
function groupsOf({ group_by }: SpendQuery): spend.WideSpendGroup[] {
  return [...new Set(group_by.split(','))].map((name) => spend.spendGroupOf(name))
}

async function enter(ctx: Asking, place: SpendPlace): Promise<spend.SpendScope> {
  if ('project_id' in place) {
    const { project_id } = await requireProject(ctx, place.project_id, 'project.gateway.spend.read')
    return { project_id }
  }
  if ('account_id' in place) {
    const { account_id } = await requireAccount(ctx, place.account_id, 'admin')
    return { account_id }
  }
  await requirePlatformAdmin(ctx)
  return {}
}

const dollars = (micros: number): string => (micros / 1_000_000).toFixed(6)
