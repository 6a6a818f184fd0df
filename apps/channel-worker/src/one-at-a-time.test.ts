import { createLogger } from '@svc/boot'
import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const log = createLogger({ name: 'test', level: 'silent' })

test('what is asked for during the work runs once more, and other keys beside it', async () => {
  const runs: string[] = []
  let release = () => {}
  const asked = oneAtATime(async (key) => {
    runs.push(key)
    if (runs.length === 1)
      await new Promise<void>((resolve) => {
        release = resolve
      })
  }, log)
  asked.ask('a')
  asked.ask('a')
  asked.ask('a')
  asked.ask('b')
  await Promise.resolve()
  expect(runs).toEqual(['a', 'b'])
  release()
  await asked.settled()
  expect(runs).toEqual(['a', 'b', 'a'])
})

test('work that failed is begun anew when it is asked for again', async () => {
  let tries = 0
  const asked = oneAtATime(() => {
    tries += 1
    return Promise.reject(new Error('away'))
  }, log)
  asked.ask('a')
  await asked.settled()
  asked.ask('a')
  await asked.settled()
  expect(tries).toBe(2)
})
