import { expect, test } from 'vitest'
import { RefusedTarget } from '@svc/outbound'
import { issuerTrouble } from './issuer-trouble.ts'

const coded = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['private_address', new RefusedTarget('x')],
  ['unreachable', coded('ENOTFOUND')],
  ['unreachable', coded('ECONNREFUSED')],
  ['unreachable', new DOMException('x', 'TimeoutError')],
  ['untrusted_certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['untrusted_certificate', coded('CERT_HAS_EXPIRED')],
  ['untrusted_certificate', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['issuer_mismatch', coded('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')],
  ['not_openid', coded('OAUTH_RESPONSE_IS_NOT_CONFORM')],
  ['not_openid', new Error('x')],
  ['not_openid', 'x'],
] as const)('it is %s', (trouble, error) => {
  expect(issuerTrouble(error)).toBe(trouble)
  expect(issuerTrouble(new Error('outside', { cause: error }))).toBe(trouble)
})
