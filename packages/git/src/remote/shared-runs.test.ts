import { expect, test } from 'vitest'
import { SharedRuns } from './shared-runs.ts'

/** Work that ends when the test says so. */
function controlled() {
  const started: AbortSignal[] = []
  const ends: (() => void)[] = []
  const work = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      started.push(signal)
      ends.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { work, started, end: (index: number) => ends[index]?.() }
}

test('callers that come during a run share the next one', async () => {
  const runs = new SharedRuns()
  const { work, started, end } = controlled()
  const first = runs.join(work)
  const later = [runs.join(work), runs.join(work), runs.join(work)]
  expect(started.length).toBe(1)
  end(0)
  await first
  await expect.poll(() => started.length).toBe(2)
  end(1)
  await Promise.all(later)
  expect(started.length).toBe(2)
})

test('a failure reaches everybody who shared it and nobody else', async () => {
  const runs = new SharedRuns()
  const { work, end } = controlled()
  const first = runs.join(work)
  const second = runs.join(() => Promise.reject(new Error('unreachable')))
  end(0)
  await first
  await expect(second).rejects.toThrow('unreachable')
  const third = runs.join(() => Promise.resolve())
  await third
})

test('one caller leaving does not end what others wait for; the last one does', async () => {
  const runs = new SharedRuns()
  const { work, started, end } = controlled()
  const [one, two] = [new AbortController(), new AbortController()]
  const busy = runs.join(work)
  const waiting = [runs.join(work, one.signal), runs.join(work, two.signal)]
  end(0)
  await busy
  await expect.poll(() => started.length).toBe(2)
  one.abort(new Error('left'))
  await expect(waiting[0]).rejects.toThrow('left')
  expect(started[1]?.aborted).toBe(false)
  two.abort(new Error('left too'))
  await expect(waiting[1]).rejects.toThrow('left too')
  expect(started[1]?.aborted).toBe(true)
  await runs.join(() => Promise.resolve())
})
