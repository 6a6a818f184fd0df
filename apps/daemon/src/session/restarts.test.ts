import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

function open() {
  const seen = { busy: false, restarts: 0 }
  const restarts = createRestarts({ isBusy: () => seen.busy, restart: () => (seen.restarts += 1) })
  return { seen, restarts }
}

test('an idle runtime is restarted at once', () => {
  const { seen, restarts } = open()
  expect(restarts.whenIdle()).toBe('now')
  expect(seen.restarts).toBe(1)
  expect(restarts.isPending).toBe(false)
})

test('a busy one is restarted once, when it has become idle', () => {
  const { seen, restarts } = open()
  seen.busy = true
  expect([restarts.whenIdle(), restarts.whenIdle()]).toEqual(['when_idle', 'when_idle'])
  restarts.check()
  expect(seen.restarts).toBe(0)
  seen.busy = false
  restarts.check()
  restarts.check()
  expect(seen.restarts).toBe(1)
})
