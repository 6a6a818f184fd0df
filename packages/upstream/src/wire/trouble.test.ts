import { expect, test } from 'vitest'
import { troubleOf } from './trouble.ts'

const error = (code: string, outer = 'fetch failed') =>
  new TypeError(outer, { cause: Object.assign(new Error(code), { code }) })
const open = new AbortController().signal
const over = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
const refusal = Object.assign(new Error('no'), { code: 'address_not_allowed' })

test.each([
  ['a refused address', refusal, open, 'address_not_allowed address_not_allowed'],
  [
    'one of several',
    new TypeError('x', { cause: new AggregateError([refusal]) }),
    open,
    'address_not_allowed address_not_allowed',
  ],
  ['nobody listens', error('ECONNREFUSED'), open, 'upstream_unreachable upstream_unreachable'],
  ['no such name', error('ENOTFOUND'), over, 'upstream_unreachable upstream_unreachable'],
  [
    'a certificate of a stranger',
    error('DEPTH_ZERO_SELF_SIGNED_CERT'),
    open,
    'upstream_unreachable upstream_unreachable',
  ],
  [
    'a certificate that was turned away',
    error('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    open,
    'upstream_unreachable upstream_unreachable',
  ],
  [
    'a broken record in the middle',
    error('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
    open,
    'upstream_unreachable outcome_unknown',
  ],
  ['a line that was cut', error('ECONNRESET'), open, 'upstream_unreachable outcome_unknown'],
  ['silence', error('UND_ERR_BODY_TIMEOUT', 'terminated'), open, 'upstream_unreachable outcome_unknown'],
  ['time that ran out', over.reason, over, 'upstream_timeout outcome_unknown'],
  ['a request that cannot be', new TypeError('bad method'), open, 'invalid_arguments invalid_arguments'],
  ['anything', 'words', open, 'upstream_unreachable outcome_unknown'],
])('%s, before and after the call began', (_, met, signal, expected) => {
  const [before, after] = [false, true].map((begun) => troubleOf(met, { host: 'api.example', begun, signal }))
  expect(`${before?.reason} ${after?.reason}`).toBe(expected)
  expect(before?.sent).toBe(false)
  expect(after?.sent).toBe(after?.reason === 'outcome_unknown')
  expect(after?.message).toMatch(/api\.example.*\.$/)
})
