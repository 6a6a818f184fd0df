import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a hash is argon2id with the parameters that OWASP asks for at least', async () => {
  const hash = await hashPassword('correct horse battery')
  const [, memory = '', time = '', lanes = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? []
  expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
  expect(Number(time)).toBeGreaterThanOrEqual(2)
  expect(Number(lanes)).toBe(1)
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true)
  expect(await verifyPassword(hash, 'correct horse batterz')).toBe(false)
  expect(await hashPassword('correct horse battery')).not.toBe(hash)
})

test('nobody has no password, however it is composed', async () => {
  expect(await verifyPassword(null, '')).toBe(false)
  const hash = await hashPassword('caf\u00e9 horse battery')
  expect(await verifyPassword(hash, 'cafe\u0301 horse battery')).toBe(true)
})

test('a burst waits in line, and what the line does not hold is told to come again', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 80 }, () => hashPassword('correct horse battery')),
  )
  const refused = results.filter((one) => one.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(refused.map(() => 'temporarily_unavailable'))
  expect(refused.length).toBe(80 - 2 - 64)
  // The line is empty again.
  expect(await hashPassword('correct horse battery')).toMatch(/^\$argon2id/)
})
