import { createHmac } from 'node:crypto'
import { Webhooks } from '@octokit/webhooks'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { deliveryId } from './delivery-id.ts'
import { judgeWebhook } from './webhook-auth.ts'

const secret = 'a secret of the sender'
const now = new Date('2026-03-01T10:00:00Z')
const body = Buffer.from('{"action":"opened"}')
const hex = (text: Uint8Array, key = secret) => createHmac('sha256', key).update(text).digest('hex')

function judge(
  headers: Record<string, string>,
  options: { body?: Uint8Array; secrets?: string[]; at?: Date } = {},
) {
  const sent = new Headers(headers)
  const request = { headers: (name: string) => sent.get(name), body: options.body ?? body }
  return judgeWebhook(request, options.secrets ?? [secret], options.at ?? now)
}
const accepts = (...args: Parameters<typeof judge>) => judge(...args).kind === 'accepted'

describe('signatures of the own kind and of GitHub', () => {
  const right = hex(body)
  test.each([
    ['the digits alone', right, true],
    ['behind sha256=', `sha256=${right}`, true],
    ['in capitals', `sha256=${right.toUpperCase()}`, true],
    ['in mixed case', `sha256=${right.slice(0, 32).toUpperCase()}${right.slice(32)}`, true],
    ['present but empty', '', false],
    ['63 digits', right.slice(1), false],
    ['65 digits', `${right}0`, false],
    ['the prefix alone', 'sha256=', false],
    ['another prefix', `sha1=${right}`, false],
    ['the prefix twice', `sha256=sha256=${right}`, false],
    ['one digit off', `${right.slice(0, 63)}${right.endsWith('0') ? '1' : '0'}`, false],
    ['no hexadecimal digits', 'z'.repeat(64), false],
    ['two of them', `${right}, ${right}`, false],
    ['of another secret', hex(body, 'other'), false],
  ])('%s: %s -> %s', (_, signature, accepted) => {
    for (const name of ['X-Svc-Signature', 'X-Hub-Signature-256']) {
      expect(accepts({ [name]: signature }), name).toBe(accepted)
      // The token is right, and is not looked at.
      expect(accepts({ [name]: signature, 'X-Svc-Token': secret }), name).toBe(accepted)
    }
  })

  test('the library of GitHub signs what is accepted', async () => {
    for (const text of ['{"action":"opened"}', '{}', ' {"a": 1}\r\n', '\ufeff{}', '{"e":"ü😀"}']) {
      const signature = await new Webhooks({ secret }).sign(text)
      expect(accepts({ 'X-Hub-Signature-256': signature }, { body: Buffer.from(text) })).toBe(true)
      expect(accepts({ 'X-Hub-Signature-256': signature }, { body: Buffer.from(`${text} `) })).toBe(false)
    }
  })

  test('the bytes are signed, not their meaning', () => {
    for (const bytes of [Buffer.from(''), Buffer.from([0xff, 0, 0xfe]), Buffer.from('\n{}\n')]) {
      expect(accepts({ 'X-Svc-Signature': hex(bytes) }, { body: bytes })).toBe(true)
    }
  })

  test('the own header comes before the one of GitHub', () => {
    expect(accepts({ 'X-Svc-Signature': right, 'X-Hub-Signature-256': 'wrong' })).toBe(true)
    expect(accepts({ 'X-Svc-Signature': 'wrong', 'X-Hub-Signature-256': right })).toBe(false)
  })
})

describe('Standard Webhooks', () => {
  const key = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`
  const headersOf = (id: string, at: Date, text = body.toString(), of = key) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(of).sign(id, at, text),
  })

  test('the library signs what is accepted', () => {
    for (const text of [body.toString(), '{}', '\ufeff{"ü":1}\n']) {
      expect(accepts(headersOf('msg_1', now, text), { body: Buffer.from(text), secrets: [key] })).toBe(true)
    }
    const bare = key.slice('whsec_'.length)
    expect(accepts(headersOf('msg_1', now, body.toString(), bare), { secrets: [bare] })).toBe(true)
  })

  test.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('%i seconds away: %s', (seconds, accepted) => {
    const at = new Date(now.getTime() + seconds * 1000)
    expect(accepts(headersOf('msg_1', at), { secrets: [key] })).toBe(accepted)
  })

  test('one right signature of several is enough; other versions count for nothing', () => {
    const headers = headersOf('msg_1', now)
    const right = headers['webhook-signature']
    const of = (signature: string) =>
      accepts({ ...headers, 'webhook-signature': signature }, { secrets: [key] })
    expect(of(`v1,${'A'.repeat(43)}= ${right}`)).toBe(true)
    expect(of(right.replace('v1,', 'v1a,'))).toBe(false)
    expect(of(right.replace('v1,', 'v2,'))).toBe(false)
    expect(of(right.slice(0, -1))).toBe(false)
    expect(of('')).toBe(false)
  })

  test('id and timestamp are signed too, and needed', () => {
    const headers = headersOf('msg_1', now)
    const without = (name: keyof typeof headers) => {
      const { [name]: _, ...rest } = headers
      return accepts(rest, { secrets: [key] })
    }
    expect(without('webhook-id')).toBe(false)
    expect(without('webhook-timestamp')).toBe(false)
    expect(accepts({ ...headers, 'webhook-id': 'msg_2' }, { secrets: [key] })).toBe(false)
    expect(accepts({ ...headers, 'webhook-timestamp': 'now' }, { secrets: [key] })).toBe(false)
    expect(accepts({ ...headers, 'X-Svc-Token': key, 'webhook-signature': 'v1,x' }, { secrets: [key] })).toBe(
      false,
    )
  })
})

describe('tokens, when no signature is there', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  test.each([
    [{ 'X-Svc-Token': secret }, true],
    [{ 'X-Svc-Token': `${secret}x` }, false],
    [{ 'X-Svc-Token': '' }, false],
    [{ 'X-Svc-Token': 'wrong', Authorization: `Bearer ${secret}` }, false],
    [{ Authorization: `Bearer ${secret}` }, true],
    [{ Authorization: `bearer  ${secret}` }, true],
    [{ Authorization: `Bearer` }, false],
    [{ Authorization: secret }, false],
    [{ Authorization: basic(`user:${secret}`) }, true],
    [{ Authorization: basic(`:${secret}`) }, true],
    [{ Authorization: basic(secret) }, false],
    [{ Authorization: basic(`${secret}:x`) }, false],
    [{ Authorization: 'Basic !!!' }, false],
    [{}, false],
  ])('%j: %s', (headers, accepted) => expect(accepts(headers)).toBe(accepted))
})

test('during a rotation both secrets are good, and an empty one never is', () => {
  const both = { secrets: ['new', secret] }
  expect(accepts({ 'X-Svc-Signature': hex(body) }, both)).toBe(true)
  expect(accepts({ 'X-Svc-Signature': hex(body, 'new') }, both)).toBe(true)
  expect(accepts({ 'X-Svc-Token': secret }, both)).toBe(true)
  expect(accepts({ 'X-Svc-Signature': hex(body, 'older') }, both)).toBe(false)
  expect(accepts({ 'X-Svc-Signature': hex(body, '') }, { secrets: [''] })).toBe(false)
  expect(accepts({ 'X-Svc-Token': '' }, { secrets: [''] })).toBe(false)
  expect(accepts({ 'X-Svc-Token': secret }, { secrets: [] })).toBe(false)
})

test('no refusal names the secret', () => {
  for (const headers of [{ 'X-Svc-Token': 'wrong' }, { 'X-Svc-Signature': 'wrong' }, {}]) {
    expect(JSON.stringify(judge(headers))).not.toContain(secret)
  }
})

test('no headers and no body get in without the secret', () => {
  const names = [
    'x-svc-signature',
    'x-hub-signature-256',
    'webhook-signature',
    'webhook-id',
    'webhook-timestamp',
  ]
  const header = fc.oneof(fc.constantFrom(...names, 'x-svc-token', 'authorization'))
  const value = fc.oneof(fc.string(), fc.stringMatching(/^(sha256=)?[0-9a-f]{64}$/), fc.constant(''))
  fc.assert(
    fc.property(fc.dictionary(header, value), fc.uint8Array(), (headers, bytes) => {
      const request = { headers: (name: string) => headers[name] ?? null, body: bytes }
      expect(judgeWebhook(request, [secret], now).kind).toBe('refused')
    }),
    { numRuns: 1000 },
  )
})

describe('what makes two requests the same delivery', () => {
  const right = hex(body)
  const idOf = (headers: Record<string, string>, bytes: Uint8Array = body, secrets = [secret]) => {
    const sent = new Headers(headers)
    const request = { headers: (name: string) => sent.get(name), body: bytes }
    const verdict = judgeWebhook(request, secrets, now)
    if (verdict.kind === 'refused') throw new Error(verdict.reason)
    return deliveryId(request, verdict, 'a fresh id')
  }
  const signed = { 'X-Svc-Signature': right }

  test('the id that the sender gives decides', () => {
    const all = { ...signed, 'X-GitHub-Delivery': 'g', 'webhook-id': 'w', 'X-Svc-Delivery': 's' }
    expect(idOf(all)).toBe('g')
    expect(idOf({ ...signed, 'webhook-id': 'w', 'X-Svc-Delivery': 's' })).toBe('w')
    expect(idOf({ ...signed, 'X-Svc-Delivery': 's' })).toBe('s')
    expect(idOf({ 'X-Svc-Token': secret, 'X-Svc-Delivery': 's' })).toBe('s')
    expect(idOf({ ...signed, 'X-Svc-Delivery': 'x'.repeat(300) })).toHaveLength(64)
  })

  test('without an id it is the body with the bytes of its signature, however those are written', () => {
    const id = idOf(signed)
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    for (const spelling of [`sha256=${right}`, right.toUpperCase(), `sha256=${right.toUpperCase()}`]) {
      expect(idOf({ 'X-Svc-Signature': spelling })).toBe(id)
      expect(idOf({ 'X-Hub-Signature-256': spelling })).toBe(id)
    }
    expect(idOf({ ...signed, 'X-Svc-Delivery': '' })).toBe(id)
    const other = Buffer.from('other')
    expect(idOf({ 'X-Svc-Signature': hex(other) }, other)).not.toBe(id)
    expect(idOf({ 'X-Svc-Signature': hex(body, 'new') }, body, ['new', secret])).not.toBe(id)
  })

  test('with a token and without an id each request is a delivery of its own', () => {
    expect(idOf({ 'X-Svc-Token': secret })).toBe('a fresh id')
    expect(idOf({ Authorization: `Bearer ${secret}`, 'X-Svc-Delivery': '' })).toBe('a fresh id')
  })

  test('an id that is signed is not replaced by one that is not', () => {
    const sign = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now.getTime() / 1000) }
    const key = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`
    const signature = new Webhook(key).sign('msg_1', now, body.toString())
    const sent = { ...sign, 'webhook-signature': signature, 'X-GitHub-Delivery': 'g', 'X-Svc-Delivery': 's' }
    expect(idOf(sent, body, [key])).toBe('msg_1')
  })
})
