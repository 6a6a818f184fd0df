import { expect, test } from 'vitest'
import { startLanes } from './lanes.ts'

const never = () => new Promise<never>(() => undefined)
const soon = { step_ms: 50, stop_ms: 150 }

test('a call that does not end is cut and named, and the next round begins', async () => {
  const wrong: string[] = []
  const cut: boolean[] = []
  const lanes = startLanes(wrong, soon, () => 'open: GET /stream')
  lanes.add('talk', 1, (round, step) =>
    step('waits for its turn', (signal) => {
      signal.addEventListener('abort', () => cut.push(true))
      return round === 1 ? never() : Promise.resolve()
    }),
  )
  await expect.poll(() => cut.length).toBeGreaterThan(1)
  await lanes.stop()
  expect(wrong).toEqual(['talk 1: waits for its turn: no end after 0.05 s; open: GET /stream'])
})

test('a lane that does not end is named, with the step at which it is', async () => {
  const lanes = startLanes([], { ...soon, step_ms: 10_000 }, () => 'open: nothing')
  lanes.add('read', 1, (_round, step) => step('health', () => Promise.resolve()))
  lanes.add('ship', 1, (_round, step) => step('merges 7', never))
  lanes.add('push', 1, never)
  const message =
    /^Not ended after 0.15 s: ship 1: merges 7, for [\d.]+ s; push 1: between its steps; open: nothing$/
  await expect(lanes.stop()).rejects.toThrow(message)
})

test('what goes wrong in a round is kept with the step, and stops nothing', async () => {
  const wrong: string[] = []
  const lanes = startLanes(wrong, soon)
  let last = 0
  lanes.add('hook', 1, async (round, step) => {
    last = round
    if (round < 3) await step('is sent', () => Promise.reject(new Error(`refused ${round}`)))
  })
  await expect.poll(() => last).toBeGreaterThan(3)
  await lanes.stop()
  expect(wrong).toEqual(['hook 1: is sent: refused 1', 'hook 2: is sent: refused 2'])
})
