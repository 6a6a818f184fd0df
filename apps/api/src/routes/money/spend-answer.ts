import { getSpend, getSpendCsv, type SpendPlace } from '@svc/spend'
import type { Context } from 'hono'
import type { AppEnv } from '../../parts.ts'
import { wire } from '../wire.ts'

interface SpendQuery {
  readonly group_by: string
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly format?: 'json' | 'csv' | undefined
}

/** Spend of a place, as JSON or CSV: `format` goes before `Accept`. */
export async function answerSpend(
  c: Context<AppEnv>,
  place: SpendPlace,
  { format, ...query }: SpendQuery,
  accept: string | undefined,
) {
  const is_csv = format === undefined ? (accept?.includes('text/csv') ?? false) : format === 'csv'
  if (!is_csv) return c.json(wire(await getSpend(c.var.ctx, place, query)), 200)
  const text = await getSpendCsv(c.var.ctx, place, query)
  return c.text(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="spend.csv"',
  })
}
