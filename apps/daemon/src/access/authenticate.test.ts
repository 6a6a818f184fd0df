import { expect, test } from 'vitest'
import { createAuthenticate, credentialsOf, mayDrive } from './authenticate.ts'
import { signUserContext } from './user-context.ts'

const now = 1_800_000_000
const context = {
  userId: 'u',
  sandboxId: 's',
  sandboxRole: 'viewer' as const,
  scopes: [],
  iat: now,
  exp: now + 60,
}
const authenticate = createAuthenticate({ service_key: 'key-of-s', session_id: 's', now: () => now * 1000 })
const header = signUserContext(context, 'key-of-s')

test('the service key is the platform, but only where the platform is accepted', () => {
  const credentials = { authorization: 'Bearer key-of-s', userContext: undefined }
  expect(authenticate(credentials, 'platform or user')).toEqual({ ok: true, caller: { kind: 'platform' } })
  expect(authenticate(credentials, 'user')).toMatchObject({ ok: false, status: 401 })
})

test('a wrong bearer does not spoil a good user context', () => {
  const access = authenticate({ authorization: 'Bearer nope', userContext: header }, 'platform or user')
  expect(access).toMatchObject({ ok: true, caller: { kind: 'user' } })
})

test('a refusal names its reason', () => {
  expect(authenticate({ authorization: undefined, userContext: 'x.y' }, 'user')).toEqual({
    ok: false,
    status: 401,
    body: { error: 'unauthorized', reason: 'bad_signature' },
  })
})

test('without a service key nothing is accepted: 503', () => {
  const open = createAuthenticate({ service_key: undefined, session_id: 's', now: () => now })
  expect(open({ authorization: 'Bearer ', userContext: header }, 'platform or user')).toMatchObject({
    status: 503,
  })
})

test('a viewer does not drive, the platform and owners do', () => {
  expect(mayDrive({ kind: 'user', context })).toBe(false)
  expect(mayDrive({ kind: 'user', context: { ...context, sandboxRole: 'owner' } })).toBe(true)
  expect(mayDrive({ kind: 'platform' })).toBe(true)
})

test('the context is read from the header, else from the query', () => {
  const query = new URLSearchParams({ __svc_user_context: 'q' })
  expect(credentialsOf((name) => (name === 'x-svc-user-context' ? 'h' : undefined), query).userContext).toBe(
    'h',
  )
  expect(credentialsOf(() => undefined, query).userContext).toBe('q')
})
