import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type WatchedExchange, watchPace } from './client-pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pace = { window_ms: 1_000, min_bytes: 100 }

/** Takes nothing, so that it is full after the first byte. */
const full = () => {
  const stream = new Writable({ highWaterMark: 1, write: () => {} })
  stream.write('x')
  return stream
}

function watch(parts: Partial<WatchedExchange> = {}) {
  const input = new PassThrough()
  const drop = vi.fn()
  const exchange = { input, sink: new PassThrough(), output: new PassThrough(), ...parts }
  return { input, drop, ...watchPace(exchange, pace, drop) }
}

test('a client that sends nothing is dropped after one window', () => {
  const { drop, end } = watch()
  vi.advanceTimersByTime(999)
  expect(drop).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(drop).toHaveBeenCalledOnce()
  end()
})

test('a byte now and then does not help', () => {
  const { drop, moved, end } = watch()
  for (let at = 0; at < 10; at += 1) {
    moved(9)
    vi.advanceTimersByTime(100)
  }
  expect(drop).toHaveBeenCalledOnce()
  end()
})

test('a slow line that moves is left alone, however long it takes', () => {
  const { drop, moved, end } = watch()
  for (let at = 0; at < 1_000; at += 1) {
    moved(10)
    vi.advanceTimersByTime(100)
  }
  expect(drop).not.toHaveBeenCalled()
  end()
})

test('while git is busy nobody is slow', () => {
  const { drop, end } = watch({ sink: full() })
  vi.advanceTimersByTime(100_000)
  expect(drop).not.toHaveBeenCalled()
  end()
})

test('a body that has ended is not waited for', async () => {
  const { input, drop, end } = watch()
  input.end()
  input.resume()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(drop).not.toHaveBeenCalled()
  end()
})

test('a client that does not read is dropped, body or not', () => {
  const { drop, end } = watch({ input: null, output: full() })
  vi.advanceTimersByTime(1_000)
  expect(drop).toHaveBeenCalledOnce()
  end()
  vi.advanceTimersByTime(100_000)
  expect(drop).toHaveBeenCalledOnce()
})
