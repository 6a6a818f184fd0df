import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from './redact.ts'

const secret = 'pä ss+w/ör"d=\\1'
const { text, json } = redactor({
  password: secret,
  key: 'k3y-0123456789',
  pem: '-----BEGIN\nMIIEvQIBADANBgkqhkiG9w0B\n-----END',
})

test.each([
  ['as it is', secret],
  ['in a URL', encodeURIComponent(secret)],
  ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
  ['in a URL with small letters', encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['escaped for JSON', JSON.stringify(secret)],
  ['escaped for JSON by PHP', JSON.stringify(secret).replaceAll('/', '\\/')],
  ['a line of a key', 'MIIEvQIBADANBgkqhkiG9w0B'],
])('%s it is not said', (_, said) => {
  const clean = text(`before ${said} after`)
  expect(clean).toContain('[redacted]')
  expect(clean).not.toContain(said.replaceAll('"', ''))
  expect(clean).toMatch(/^before .* after$/)
})

test('inside a longer text in base64 it is not said, whatever stands before and after', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
      const said = Buffer.from(`${before}k3y-0123456789${after}`).toString('base64')
      expect(Buffer.from(text(said).replace('[redacted]', ''), 'base64').toString()).not.toContain('0123456')
    }),
  )
})

test('no piece of a key in PEM is said, however its lines are broken', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const { text: clean } = redactor({ private_key: privateKey })
  const body = privateKey.replaceAll(/-----[^\n]*|\n/g, '')
  const broken = (width: number) => body.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')
  const said = [
    privateKey,
    privateKey.trim(),
    body,
    `before${body}after`,
    broken(76),
    broken(40),
    encodeURIComponent(body),
  ]
  for (const each of [
    ...said,
    JSON.stringify(privateKey),
    JSON.stringify(broken(50)).replaceAll('/', '\\/'),
  ]) {
    const rest = clean(each)
    expect(rest).toContain('[redacted]')
    for (const line of [...privateKey.split('\n').slice(1, -2), ...each.split(/[\n%]|\\n/)])
      if (line.length > 24 && !line.startsWith('-')) expect(rest).not.toContain(line)
  }
  const other = 'MIIEvQIBADANBgkqhkiG'.repeat(4).toLowerCase()
  expect(clean(`an ${other} of another`)).toBe(`an ${other} of another`)
})

test('texts, keys and numbers of a value are cleaned', () => {
  const { json: clean } = redactor({ pin: '123456' })
  expect(clean({ 'the 123456': [123456, 'x123456', 7, null, true] })).toEqual({
    'the [redacted]': ['[redacted]', 'x[redacted]', 7, null, true],
  })
  expect(json(JSON.parse('{"__proto__":{"a":1}}'))).toEqual(JSON.parse('{"__proto__":{"a":1}}'))
})

test('a short value stays, and so does what is no part of it', () => {
  expect(redactor({ username: 'bob' }).text('bob is here')).toBe('bob is here')
  expect(redactor(null).text('anything')).toBe('anything')
  expect(text('nothing to see')).toBe('nothing to see')
})
