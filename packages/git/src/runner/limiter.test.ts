import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('never more than its size at once, all of them in the end', async () => {
  const limiter = createLimiter(3)
  let running = 0
  let max = 0
  await Promise.all(
    Array.from({ length: 20 }, () =>
      limiter.run(async () => {
        running += 1
        max = Math.max(max, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
      }),
    ),
  )
  expect(max).toBe(3)
  expect(running).toBe(0)
})

test('a waiting task whose signal aborts leaves the queue without running', async () => {
  const limiter = createLimiter(1)
  const first = gate()
  const busy = limiter.run(() => first.opened)
  const controller = new AbortController()
  let ran = false
  const waiting = limiter.run(async () => {
    ran = true
  }, controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  first.open()
  await busy
  await limiter.run(async () => {})
  expect(ran).toBe(false)
})

test('a failing task gives its place back', async () => {
  const limiter = createLimiter(1)
  await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(limiter.run(() => Promise.resolve(7))).resolves.toBe(7)
})
