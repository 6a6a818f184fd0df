import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createHold } from './hold.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('ends by itself when the sandbox goes on living', () => {
  const onRelease = vi.fn()
  const hold = createHold({ maxMs: 100, onRelease })
  hold.hold()
  vi.advanceTimersByTime(60)
  hold.hold()
  vi.advanceTimersByTime(60)
  expect([hold.held, onRelease.mock.calls.length]).toEqual([true, 0])
  vi.advanceTimersByTime(40)
  expect([hold.held, onRelease.mock.calls.length]).toEqual([false, 1])
})

it('ends when it is released, once', () => {
  const onRelease = vi.fn()
  const hold = createHold({ maxMs: 100, onRelease })
  hold.hold()
  hold.release()
  vi.advanceTimersByTime(200)
  expect([hold.held, onRelease.mock.calls.length]).toEqual([false, 1])
})
