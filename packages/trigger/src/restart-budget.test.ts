import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { monitorLimits } from './monitor-limits.ts'
import { spendRestart } from './restart-budget.ts'
import { silenceAt } from './silence.ts'

/** Restarts that are granted to a stream that ends at these times. */
function granted(times: readonly number[]): number[] {
  const restarted: number[] = []
  let restarts: readonly number[] = []
  for (const now of times) {
    const verdict = spendRestart(restarts, now)
    if (verdict.kind === 'exhausted') break
    restarts = verdict.restarts
    restarted.push(now)
  }
  return restarted
}

test('five restarts in ten minutes, then it is given up', () => {
  expect(granted([0, 1, 2, 3, 4, 5])).toEqual([0, 1, 2, 3, 4])
  expect(granted([0, 1, 2, 3, 4, 600_000])).toHaveLength(6)
  expect(granted(Array.from({ length: 100 }, (_, index) => index * 121_000))).toHaveLength(100)
})

test('the waits double', () => {
  expect(spendRestart([], 0)).toMatchObject({ wait_ms: 1_000 })
  expect(spendRestart([1, 2, 3], 4)).toMatchObject({ wait_ms: 8_000 })
  expect(spendRestart([1, 2, 3], 700_000)).toMatchObject({ wait_ms: 1_000, restarts: [700_000] })
})

test('whatever the times: never more than five within any ten minutes', () => {
  assert(
    property(array(integer({ min: 0, max: 300_000 }), { maxLength: 60 }), (gaps) => {
      let now = 0
      const times = granted(gaps.map((gap) => (now += gap)))
      for (const from of times) {
        const within = times.filter((time) => time >= from && time - from < monitorLimits.restart_window_ms)
        expect(within.length).toBeLessThanOrEqual(monitorLimits.restarts)
      }
    }),
  )
})

test('silence is told of once, after what is expected, and only when something is', () => {
  expect(silenceAt(1_000, 500, false)).toBe(1_500)
  expect(silenceAt(1_000, 500, true)).toBeNull()
  expect(silenceAt(1_000, null, false)).toBeNull()
  assert(
    property(integer({ min: 0 }), integer({ min: 1 }), (last_line_at, within) => {
      expect(silenceAt(last_line_at, within, false)).toBeGreaterThan(last_line_at)
    }),
  )
})
