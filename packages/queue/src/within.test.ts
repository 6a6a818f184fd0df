import { expect, test } from 'vitest'
import { settles, within } from './within.ts'

const never = new Promise<never>(() => undefined)

test('passes on what the work gives or throws', async () => {
  expect(await within(60_000, Promise.resolve(1), () => new Error('late'))).toBe(1)
  await expect(within(60_000, Promise.reject(new Error('bad')), () => new Error('late'))).rejects.toThrow(
    'bad',
  )
})

test('does not wait for ever, and a late failure disturbs nobody', async () => {
  await expect(within(1, never, () => new Error('late'))).rejects.toThrow('late')
  let fail = (_error: Error) => undefined as void
  const failing = new Promise((_resolve, reject) => (fail = reject))
  await expect(within(1, failing, () => new Error('late'))).rejects.toThrow('late')
  fail(new Error('too late to matter'))
})

test('tells whether the work was done, well or badly', async () => {
  expect(await settles(60_000, Promise.resolve())).toBe(true)
  expect(await settles(60_000, Promise.reject(new Error('bad')))).toBe(true)
  expect(await settles(1, never)).toBe(false)
})
