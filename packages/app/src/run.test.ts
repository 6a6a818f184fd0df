import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargesOf, marksCrossed, nextMonth } from './cost.ts'
import { latencyClass, percentile } from './latency.ts'
import { instanceMachine, liveInstances, ownedInstances } from './states.ts'

const prices = { cpu_hour_micros: 30_000, gb_hour_micros: 10_000 }
const size = { cpu: 1, memory_gb: 2 }
const at = (text: string) => new Date(text)

describe('the cost of an instance', () => {
  test('is its seconds at the price of what it may use', () => {
    const from = at('2026-12-01T00:00:00Z')
    const { charges } = chargesOf({ started_at: from, from, to: at('2026-12-01T01:00:00Z') }, size, prices)
    expect(charges).toEqual([{ month: '2026-12-01', seconds: 3600, cost_micros: 50_000 }])
  })

  test('is divided between the months that it lived in', () => {
    const from = at('2026-12-31T23:59:50Z')
    const { charges } = chargesOf({ started_at: from, from, to: at('2027-01-01T00:00:10Z') }, size, prices)
    expect(charges.map(({ month, seconds }) => [month, seconds])).toEqual([
      ['2026-12-01', 10],
      ['2027-01-01', 10],
    ])
    expect(nextMonth(from)).toEqual(at('2027-01-01T00:00:00Z'))
  })

  test('is the same however often it is counted', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 30 }), (steps) => {
        const started_at = at('2026-12-30T10:00:00Z')
        let from = started_at
        let now = started_at.getTime()
        let [seconds, micros] = [0, 0]
        for (const ms of steps) {
          now += ms
          const { charges, metered_to } = chargesOf({ started_at, from, to: new Date(now) }, size, prices)
          from = metered_to
          for (const charge of charges)
            [seconds, micros] = [seconds + charge.seconds, micros + charge.cost_micros]
        }
        const whole = Math.floor((now - started_at.getTime()) / 1000)
        expect(seconds).toBe(whole)
        expect(Math.abs(micros - Math.floor((50_000 * whole) / 3600))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('crosses each mark of a cap once', () => {
    expect(marksCrossed(1000, 0, 499)).toEqual([])
    expect(marksCrossed(1000, 499, 800)).toEqual([50, 80])
    expect(marksCrossed(1000, 800, 1000)).toEqual([100])
    expect(marksCrossed(1000, 1000, 1400)).toEqual([])
  })
})

test('times are bounds of what part of the answers took', () => {
  const counts: number[] = []
  for (const ms of [1, 2, 3, 40, 40_000]) counts[latencyClass(ms)] = (counts[latencyClass(ms)] ?? 0) + 1
  const filled = Array.from(counts, (count) => count ?? 0)
  expect([percentile(filled, 0.5), percentile(filled, 0.8), percentile(filled, 0.99)]).toEqual([
    5, 50, 30_000,
  ])
  expect(percentile([], 0.5)).toBeNull()
})

test('an instance that is over stays so, and one that drains takes no visitors', () => {
  expect(liveInstances).toEqual(['starting', 'healthy'])
  expect(ownedInstances).toEqual(['starting', 'healthy', 'draining'])
  for (const state of ['stopped', 'failed', 'gone'] as const)
    for (const event of instanceMachine.events) expect(instanceMachine.accepts(state, event)).toBe(false)
})
