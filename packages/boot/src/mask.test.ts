import { expect, test } from 'vitest'
import { maskFields, maskSecrets, secretName } from './mask.ts'

const describeError = (error: Error) => ({ ...error, message: error.message })

test.each([
  ['svc_pat_abcDEF123', 'svc_pat_***'],
  [
    'a svc_sa_1 and svc_sbx_2, svc_oat_3 svc_ort_4 svc_gw_5 svc_scim_6',
    'a svc_sa_*** and svc_sbx_***, svc_oat_*** svc_ort_*** svc_gw_*** svc_scim_***',
  ],
  ['Authorization: Bearer abcdef.123', 'Authorization: Bearer ***'],
  ['basic dXNlcjpwYXNz', 'basic ***'],
  ['https://x-access-token:ghp_1@host/r.git', 'https://x-access-token:***@host/r.git'],
  ['/cb?code=abc&state=1', '/cb?code=***&state=1'],
  ['svc_session', 'svc_session'],
  ['svc pat, a bearer of news', 'svc pat, a bearer of news'],
])('%s is logged as %s', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked)
})

test('stays linear on a hostile text', () => {
  expect(maskSecrets(`${'a'.repeat(100_000)}://${'b'.repeat(100_000)}`)).toHaveLength(200_003)
})

test.each([
  'authorization',
  'Authorization',
  'set-cookie',
  'clientSecret',
  'access_token',
  'SVC_MASTER_KEY',
  'SVC_OTHER_MASTER_KEYS',
  'password',
  'x-api-key',
])('%s is the name of a secret', (name) => expect(secretName(name)).toBe(true))
test.each(['session_id', 'input_tokens', 'key', 'secret_count', 'monkey'])('%s is not', (name) =>
  expect(secretName(name)).toBe(false),
)

test('hides secrets at any depth, in lists and in errors, and keeps the rest', () => {
  const cause = Object.assign(new Error('refused'), { headers: { authorization: 'x' } })
  expect(maskFields({ a: [{ token: 't', n: 1 }], cause, none: { secret: null } }, describeError)).toEqual({
    a: [{ token: '***', n: 1 }],
    cause: { message: 'refused', headers: { authorization: '***' } },
    none: { secret: null },
  })
})

test('ends on a circle', () => {
  const circle: Record<string, unknown> = { n: 1 }
  circle.self = circle
  expect(JSON.stringify(maskFields(circle, describeError))).toContain('[deeper]')
})
