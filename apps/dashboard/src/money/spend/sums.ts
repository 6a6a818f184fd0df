import type { Spend } from '@svc/sdk'
import type { SpendGroup } from './groups.ts'

type Row = Spend['rows'][number]

export interface SpendSum extends Pick<Row, 'calls' | 'input_tokens' | 'output_tokens' | 'cost_micros'> {
  /** Null: calls that have none of it, as those of no session. */
  readonly name: string | null
}

/** The rows of all days together, by name, the dearest first; days by themselves, the newest first. */
export function sumsOf(rows: readonly Row[], by: SpendGroup): readonly SpendSum[] {
  const sums = new Map<string | null, SpendSum>()
  for (const row of rows) {
    const name = row[by] ?? null
    const before = sums.get(name)
    sums.set(name, {
      name,
      calls: (before?.calls ?? 0) + row.calls,
      input_tokens: (before?.input_tokens ?? 0) + row.input_tokens,
      output_tokens: (before?.output_tokens ?? 0) + row.output_tokens,
      cost_micros: (before?.cost_micros ?? 0) + row.cost_micros,
    })
  }
  const all = [...sums.values()]
  if (by === 'day') return all.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? 1 : -1))
  return all.sort((a, b) => b.cost_micros - a.cost_micros || b.calls - a.calls)
}
