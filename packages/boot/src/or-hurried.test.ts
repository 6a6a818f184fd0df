import { expect, test } from 'vitest'
import { orHurried } from './or-hurried.ts'

const never = new Promise<void>(() => undefined)

test('the work is waited for, and its failure is told', async () => {
  const { signal } = new AbortController()
  await orHurried(Promise.resolve('done'), signal)
  await expect(orHurried(Promise.reject(new Error('stuck')), signal)).rejects.toThrow('stuck')
})

test('no longer than until there is a hurry', async () => {
  const hurry = new AbortController()
  const waited = orHurried(never, hurry.signal)
  hurry.abort()
  await waited
  await orHurried(never, hurry.signal)
})
