import { assert, constantFrom, integer, array, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type EventBudget, fullBudget, spendEvent } from './event-budget.ts'
import { monitorLimits } from './monitor-limits.ts'

const began = Date.parse('2026-03-01T10:00:00Z')
const minute = 60_000
const at = (ms: number) => new Date(began + ms)

/** The times of the events that go through, of events at these times. */
function admitted(times: readonly number[]): number[] {
  let budget: EventBudget = fullBudget(at(0))
  return times.filter((ms) => {
    const verdict = spendEvent(budget, at(ms))
    budget = verdict.budget
    return verdict.admitted
  })
}

test('thirty at once, the next one ends the listening for ten minutes', () => {
  const burst = Array.from({ length: 100 }, () => 0)
  expect(admitted(burst)).toHaveLength(30)
  expect(admitted([...burst, 10 * minute - 1])).toHaveLength(30)
  // Ten minutes give ten tokens.
  expect(admitted([...burst, ...Array.from({ length: 20 }, () => 10 * minute)])).toHaveLength(40)
})

test('one a minute goes on for ever', () => {
  const times = Array.from({ length: 600 }, (_, index) => index * minute)
  expect(admitted(times)).toEqual(times)
})

test('whatever comes: never more than thirty and one a minute in any time', () => {
  const gaps = array(record({ gap: integer({ min: 0, max: 90 }), unit: constantFrom(1, 1_000) }), {
    maxLength: 400,
  })
  assert(
    property(gaps, (steps) => {
      let now = 0
      const through = admitted(steps.map(({ gap, unit }) => (now += gap * unit)))
      for (const [first, from] of through.entries()) {
        for (const [last, to] of through.slice(first).entries())
          expect(last + 1).toBeLessThanOrEqual(monitorLimits.burst + (to - from) / minute)
      }
    }),
    { numRuns: 40 },
  )
})

test('a listening that has ended lets nothing through until its time, whatever is counted meanwhile', () => {
  const storm = Array.from({ length: 31 }, () => 0)
  assert(
    property(array(integer({ min: 0, max: 10 * minute - 1 }), { maxLength: 200 }), (times) => {
      expect(admitted([...storm, ...times.toSorted((a, b) => a - b)])).toHaveLength(30)
    }),
  )
})

test('a clock that steps back neither gives nor takes', () => {
  const { budget } = spendEvent(fullBudget(at(minute)), at(0))
  expect(budget).toEqual({ tokens: 29, at: at(minute), suppressed_until: null })
})
