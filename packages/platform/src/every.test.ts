import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from './every.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('pauses grow while the work fails, end when it is told to try again, and are the usual ones afterwards', async () => {
  const runs: number[] = []
  const said: string[] = []
  let isAway = true
  const repeating = every({
    ms: 5_000,
    name: 'a sweep',
    outages: { failed: (part) => said.push(`${part} failed`), worked: (part) => said.push(`${part} worked`) },
    work: async () => {
      runs.push(Date.now())
      if (isAway) throw new Error('away')
    },
  })
  const began = Date.now()
  await vi.advanceTimersByTimeAsync(22_000)
  const pauses = runs.slice(1).map((at, index) => (at - (runs[index] ?? began)) / 1_000)
  expect(pauses).toHaveLength(4)
  for (const [index, seconds] of [1, 2, 5, 10].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(seconds * 0.8)
    expect(pauses[index]).toBeLessThanOrEqual(seconds * 1.2)
  }
  expect(said.splice(0)).toEqual(Array(5).fill('a sweep failed'))

  isAway = false
  repeating.retry()
  await vi.advanceTimersByTimeAsync(0)
  expect(said.splice(0)).toEqual(['a sweep worked'])
  repeating.retry()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(said).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(said).toEqual(['a sweep worked'])
  await repeating.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toHaveLength(1)
})

test('a pause that the work decides is the one after it', async () => {
  const pauses = [1_000, 3_000]
  const runs: number[] = []
  const repeating = every({
    ms: () => pauses.shift() ?? 60_000,
    name: 'a count',
    outages: { failed: () => undefined, worked: () => undefined },
    work: async () => void runs.push(Date.now()),
  })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(runs.map((at) => at - (runs[0] ?? 0))).toEqual([0, 1_000, 4_000])
  await repeating.stop()
})
