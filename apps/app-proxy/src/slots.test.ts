import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

test('as many run as may, as many wait for them, and the rest are refused at once', async () => {
  const slots = createSlots(60_000)
  const first = await slots.take('a', 1)
  const second = slots.take('a', 1)
  expect(await slots.take('a', 1)).toBeNull()
  expect(await slots.take('b', 1)).not.toBeNull()
  first?.()
  first?.()
  const end = await second
  expect(end).not.toBeNull()
  const third = slots.take('a', 1)
  end?.()
  expect(await third).not.toBeNull()
})

test('the wait ends in time', async () => {
  const slots = createSlots(1)
  await slots.take('a', 1)
  expect(await slots.take('a', 1)).toBeNull()
})
