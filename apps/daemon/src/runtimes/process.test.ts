import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { daemonLimits } from '../limits.ts'
import { becomeReady } from './process.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A start that is ready after this time. */
function begin(ready_after_ms: number) {
  const stop = vi.fn(async () => undefined)
  const never = new Promise<string>(() => undefined)
  const ready = new Promise<void>((resolve) => setTimeout(resolve, ready_after_ms))
  const { signal } = new AbortController()
  const start = becomeReady({ pid: 1, exited: never, stop }, ready, {
    timeoutMs: daemonLimits.runtimeReadyMs,
    signal,
  })
  return { start, stop }
}

test('an agent that takes 59 s to start is waited for', async () => {
  const { start, stop } = begin(59_000)
  await vi.advanceTimersByTimeAsync(59_000)
  await start
  expect(stop).not.toHaveBeenCalled()
})

test('one that takes 61 s is ended, and the time that it had is said', async () => {
  const { start, stop } = begin(61_000)
  const refused = expect(start).rejects.toThrow('The agent runtime did not get ready within 60 s')
  await vi.advanceTimersByTimeAsync(61_000)
  await refused
  expect(stop).toHaveBeenCalledOnce()
})
