import type { Spend } from '@svc/sdk'

/** The most names that a chart can show apart; what is beyond them is together in the last one. */
const maxSeries = 6

export interface Stacks {
  /** Each day of the span, as the seconds of its beginning. */
  readonly days: readonly number[]
  readonly series: readonly { readonly name: string; readonly dollars: readonly number[] }[]
}

type Row = Spend['rows'][number]

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000
const daySeconds = 86_400

/** The cost of each day by name, the dearest first, each in dollars of its own: a chart piles them up. */
export function stacksOf(
  spend: Pick<Spend, 'since' | 'until' | 'rows'>,
  nameOf: (row: Row) => string,
): Stacks {
  const [first, last] = [secondsOf(spend.since), secondsOf(spend.until)]
  const days = Array.from(
    { length: Math.round((last - first) / daySeconds) + 1 },
    (_, at) => first + at * daySeconds,
  )
  const sums = new Map<string, number>()
  for (const row of spend.rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.cost_micros)
  const names = [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const shown = names.length > maxSeries ? [...names.slice(0, maxSeries - 1), 'Others'] : names
  const series = shown.map((name) => ({ name, dollars: days.map(() => 0) }))
  for (const row of spend.rows) {
    const at = Math.round((secondsOf(row.day ?? spend.since) - first) / daySeconds)
    const name = nameOf(row)
    const dollars = (series.find((one) => one.name === name) ?? series.at(-1))?.dollars
    if (dollars?.[at] !== undefined) dollars[at] += row.cost_micros / 1_000_000
  }
  return { days, series }
}
