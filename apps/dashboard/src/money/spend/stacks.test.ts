import { expect, test } from 'vitest'
import { stacksOf } from './stacks.ts'

const sums = {
  ...{ calls: 1, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
  ...{ unpriced_calls: 0, billed_micros: 0 },
}
const row = (day: string, model: string, dollars: number) => ({
  ...sums,
  ...{ day, model, cost_micros: dollars * 1_000_000 },
})
const nameOf = ({ model }: { readonly model?: string | null | undefined }) => model ?? 'none'

test('every day of the span is there, and the dearest name is first', () => {
  const rows = [row('2026-11-24', 'a', 1), row('2026-11-26', 'b', 3), row('2026-11-26', 'a', 1)]
  const { days, series } = stacksOf({ since: '2026-11-24', until: '2026-11-26', rows }, nameOf)
  expect(days).toHaveLength(3)
  expect(series).toEqual([
    { name: 'b', dollars: [0, 0, 3] },
    { name: 'a', dollars: [1, 0, 1] },
  ])
})

test('more names than can be told apart are one, and nothing of them is lost', () => {
  const rows = Array.from({ length: 9 }, (_, at) => row('2026-11-24', `m${at}`, at + 1))
  const { series } = stacksOf({ since: '2026-11-24', until: '2026-11-24', rows }, nameOf)
  expect(series.map(({ name }) => name)).toEqual(['m8', 'm7', 'm6', 'm5', 'm4', 'Others'])
  expect(series.flatMap(({ dollars }) => dollars).reduce((sum, one) => sum + one)).toBe(45)
})
