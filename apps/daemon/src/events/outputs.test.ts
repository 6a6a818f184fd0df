import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutputs } from './outputs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first output is told at once, then the newest of each call at a pace, and none after its end', () => {
  const told: string[] = []
  const outputs = createOutputs(250, (_, call_id, output) => told.push(`${call_id} ${output}`))
  outputs.add('m', 'one', '1')
  outputs.add('m', 'one', '12')
  outputs.add('m', 'one', '123')
  outputs.add('m', 'two', 'a')
  expect(told).toEqual(['one 1', 'two a'])
  vi.advanceTimersByTime(250)
  expect(told).toEqual(['one 1', 'two a', 'one 123'])
  outputs.add('m', 'one', '1234')
  outputs.end('one')
  vi.advanceTimersByTime(1_000)
  expect(told).toHaveLength(3)
})
