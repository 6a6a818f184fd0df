import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { orAborted, untilAborted } from './until-aborted.ts'
import { settled, within } from './within.ts'

const never = new Promise<never>(() => undefined)
const late = () => new Error('late')
const unhandled = vi.fn()

/** The times of the tests: other files of the process may set timers of theirs meanwhile. */
const times = [1, 1_000, 60_000]
/** Timers of these tests that are not cleared. */
let left: () => number

beforeEach(() => {
  vi.useFakeTimers()
  const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  left = () => {
    const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer))
    const own = set.mock.results.filter((_result, at) => times.includes(Number(set.mock.calls[at]?.[1])))
    return own.filter(({ value }) => !cleared.has(value)).length
  }
  process.on('unhandledRejection', unhandled)
})
afterEach(async () => {
  expect(left()).toBe(0)
  vi.restoreAllMocks()
  vi.useRealTimers()
  // Rejections that have no handler are told after the microtasks.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

/** Work that fails when it is told to. */
function failing() {
  let fail = (_error: Error) => {}
  const work = new Promise<never>((_resolve, reject) => (fail = reject))
  return { work, fail: () => fail(new Error('too late to matter')) }
}

describe('within', () => {
  test('passes on what the work gives or throws', async () => {
    expect(await within(60_000, Promise.resolve(1), late)).toBe(1)
    await expect(within(60_000, Promise.reject(new Error('bad')), late)).rejects.toThrow('bad')
  })

  test('refuses exactly when the time is over', async () => {
    const refused = vi.fn()
    const waited = within(1_000, never, late).catch(refused)
    await vi.advanceTimersByTimeAsync(999)
    expect(refused).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waited
    expect(refused).toHaveBeenCalledWith(late())
  })

  test('a failure after that disturbs no process', async () => {
    const { work, fail } = failing()
    const waited = expect(within(1, work, late)).rejects.toThrow('late')
    await vi.advanceTimersByTimeAsync(1)
    await waited
    fail()
  })
})

describe('settled', () => {
  test('tells whether the work ended, well or badly', async () => {
    expect(await settled(60_000, Promise.resolve())).toBe(true)
    expect(await settled(60_000, Promise.reject(new Error('bad')))).toBe(true)
  })

  test('gives up at the time, or at the signal', async () => {
    const timed = settled(1_000, never)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await timed).toBe(false)
    const force = new AbortController()
    const hurried = settled(1_000, never, force.signal)
    force.abort()
    expect(await hurried).toBe(false)
    expect(await settled(1_000, never, force.signal)).toBe(false)
  })

  test('a failure after that disturbs no process', async () => {
    const { work, fail } = failing()
    expect(await settled(1_000, work, AbortSignal.abort())).toBe(false)
    fail()
  })
})

describe('until a signal', () => {
  test('the work is waited for, and its failure is told', async () => {
    const { signal } = new AbortController()
    await untilAborted(Promise.resolve('done'), signal)
    await expect(untilAborted(Promise.reject(new Error('stuck')), signal)).rejects.toThrow('stuck')
    expect(await orAborted(Promise.resolve('done'), signal)).toBe('done')
    expect(await orAborted(Promise.resolve('done'), undefined)).toBe('done')
  })

  test('no longer than that', async () => {
    const ended = new AbortController()
    const [waited, refused] = [untilAborted(never, ended.signal), orAborted(never, ended.signal)]
    ended.abort(new Error('enough'))
    await waited
    await expect(refused).rejects.toThrow('enough')
    await untilAborted(never, ended.signal)
    await expect(orAborted(never, ended.signal)).rejects.toThrow('enough')
  })

  test('no listener stays, and a failure after that disturbs no process', async () => {
    const ended = new AbortController()
    const removed = vi.fn()
    const signal = new Proxy(ended.signal, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name === 'removeEventListener') removed()
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await orAborted(Promise.resolve(), signal)
    expect(removed).toHaveBeenCalledOnce()
    const { work, fail } = failing()
    const waited = expect(orAborted(work, ended.signal)).rejects.toThrow()
    ended.abort()
    await waited
    fail()
  })
})
