import { expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { EventVerificationError, verifyEvent } from '../src/index.ts'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const body = JSON.stringify({ type: 'cr.merged', id: 'evt_1', sequence: 3, data: { title: 'ä €' } })

/** Signed by the reference library. */
function headersOf(at = new Date(), by = secret): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, body),
  }
}

test('a delivery that the reference library signed is the event, from any kind of headers and body', async () => {
  const headers = headersOf()
  for (const one of [headers, new Headers(headers)])
    for (const raw of [body, Buffer.from(body)])
      expect(await verifyEvent(secret, one, raw)).toEqual(JSON.parse(body))
})

test('either secret of a rotation is enough', async () => {
  const other = `whsec_${Buffer.from('another secret of thirty-two byte').toString('base64')}`
  const at = new Date()
  const both = `${headersOf(at, other)['webhook-signature']} ${headersOf(at)['webhook-signature']}`
  expect(await verifyEvent(secret, { ...headersOf(at), 'webhook-signature': both }, body)).toMatchObject({
    sequence: 3,
  })
})

test.each([
  ['another body', headersOf(), `${body} `, 'does not belong'],
  ['another secret', headersOf(new Date(), `whsec_${'A'.repeat(43)}=`), body, 'does not belong'],
  ['another id', { ...headersOf(), 'webhook-id': 'evt_2' }, body, 'does not belong'],
  ['no signature', { ...headersOf(), 'webhook-signature': '' }, body, 'webhook-signature is missing'],
  ['nonsense', { ...headersOf(), 'webhook-signature': 'v1,!!! v2,abc' }, body, 'does not belong'],
  ['an old one', headersOf(new Date(Date.now() - 301_000)), body, 'too old'],
  ['one from ahead', headersOf(new Date(Date.now() + 302_000)), body, 'too old or too new'],
  ['no number', { ...headersOf(), 'webhook-timestamp': 'now' }, body, 'too old'],
])('%s is refused', async (_, headers, raw, message) => {
  const refused = verifyEvent(secret, headers, raw)
  await expect(refused).rejects.toBeInstanceOf(EventVerificationError)
  await expect(refused).rejects.toThrow(message)
})
