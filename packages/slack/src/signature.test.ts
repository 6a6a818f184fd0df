import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned } from './signature.ts'

/** The example of Slack's page "Verifying requests from Slack". */
const documented = {
  signing_secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  body: Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  ),
  now: new Date(1_531_420_618_000),
}
const later = (seconds: number) => new Date(documented.now.getTime() + seconds * 1_000)

test('the documented request is of Slack', () => expect(isSigned(documented)).toBe(true))

test.each([
  ['five minutes later', { now: later(300) }, true],
  ['five minutes early', { now: later(-300) }, true],
  ['later than that', { now: later(301) }, false],
  ['earlier than that', { now: later(-301) }, false],
  ['with another secret', { signing_secret: 'x' }, false],
  ['with no secret', { signing_secret: '' }, false],
  ['with another body', { body: Buffer.from('x') }, false],
  ['with another time', { timestamp: '1531420619' }, false],
  ['without a signature', { signature: null }, false],
  ['without a time', { timestamp: undefined }, false],
  ['with a time that is no number', { timestamp: 'NaN' }, false],
  ['with a shorter signature', { signature: documented.signature.slice(0, -1) }, false],
  ['in capitals', { signature: documented.signature.toUpperCase() }, false],
  ['of another version', { signature: documented.signature.replace('v0', 'v1') }, false],
] as const)('%s', (_name, change, is) => expect(isSigned({ ...documented, ...change })).toBe(is))

test('no other bytes have the signature of a body', () => {
  const { signing_secret, timestamp, now } = documented
  const signed = (body: Uint8Array) =>
    `v0=${createHmac('sha256', signing_secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
      const is = isSigned({ signing_secret, timestamp, signature: signed(one), body: other, now })
      expect(is).toBe(Buffer.from(one).equals(other))
    }),
  )
})
