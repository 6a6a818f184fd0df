import { expect, test } from 'vitest'
import { quieted } from './log.ts'

test('a fault that repeats is told once a window, with how often it came', () => {
  const logged: object[] = []
  let now = 0
  const nothing = () => undefined
  const log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (details: object) => void logged.push(details),
  }
  const fault = quieted(log, 10_000, () => now)
  const error = new Error('ECONNREFUSED')
  for (; now < 5_000; now += 100) fault(error, 'away')
  expect(logged).toEqual([{ err: error }])
  now = 10_000
  fault(error, 'away')
  expect(logged.at(-1)).toEqual({ err: error, repeated: 49 })
  fault(new Error('something else'), 'away')
  expect(logged).toHaveLength(3)
})

test('faults that take turns are quieted each', () => {
  const logged: string[] = []
  const nothing = () => undefined
  const log = {
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (_details: object, message: string) => void logged.push(message),
  }
  const fault = quieted(log, 10_000, () => 0)
  for (let round = 0; round < 50; round += 1) {
    fault(new Error('ECONNREFUSED'), 'The queue')
    fault(new Error('ECONNREFUSED'), 'The worker')
  }
  expect(logged).toEqual(['The queue', 'The worker'])
})
