import { expect, test } from 'vitest'
import { whileAway } from './while-away.ts'

test('what is no absence is told at once', async () => {
  let tries = 0
  const work = whileAway(
    30_000,
    async () => {
      tries += 1
      throw new Error('refused')
    },
    () => false,
  )
  await expect(work).rejects.toThrow('refused')
  expect(tries).toBe(1)
})

test('an answer of a platform that is back is the answer', async () => {
  let tries = 0
  const answer = await whileAway(30_000, async () => {
    tries += 1
    if (tries < 3) throw new Error('away')
    return 'here'
  })
  expect([answer, tries]).toEqual(['here', 3])
})
