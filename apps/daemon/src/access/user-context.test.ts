import { expect, test } from 'vitest'
import { signUserContext, verifyUserContext } from './user-context.ts'

const key = 'sandbox-service-key'
const now = 1_800_000_000
const context = {
  userId: 'u1',
  sandboxId: 's1',
  sandboxRole: 'owner' as const,
  scopes: ['read'],
  iat: now,
  exp: now + 60,
}
const expected = { key, session_id: 's1', now }
const good = signUserContext(context, key)
const [payload = '', signature = ''] = good.split('.')

test('a context signed with the service key is accepted', () => {
  expect(verifyUserContext(good, expected)).toEqual({ ok: true, context })
})

test.each([
  ['nothing', undefined, 'missing'],
  ['an empty header', '', 'missing'],
  ['no signature', payload, 'malformed'],
  ['a third part', `${good}.x`, 'malformed'],
  ['another key', signUserContext(context, 'other'), 'bad_signature'],
  ['a changed payload', `${payload}A.${signature}`, 'bad_signature'],
  ['a cut signature', `${payload}.${signature.slice(0, -4)}`, 'bad_signature'],
  ['the very second of expiry', signUserContext({ ...context, exp: now }, key), 'expired'],
  ['another sandbox', signUserContext({ ...context, sandboxId: 's2' }, key), 'wrong_sandbox'],
])('%s is refused', (_name, value, reason) => {
  expect(verifyUserContext(value, expected)).toEqual({ ok: false, reason })
})

test('a signed payload that is no context is malformed', async () => {
  const { createHmac } = await import('node:crypto')
  const text = Buffer.from('not json').toString('base64url')
  const mac = createHmac('sha256', key).update(text).digest('base64url')
  expect(verifyUserContext(`${text}.${mac}`, expected)).toEqual({ ok: false, reason: 'malformed' })
})
