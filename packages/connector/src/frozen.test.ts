import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf, type FrozenCall, frozenForm, requestDigest } from './frozen.ts'

const call: FrozenCall = {
  project_id: 'p',
  session_id: null,
  connector: 'mail',
  definition_digest: 'd',
  provider: 'http',
  address: 'https://mail.test',
  action: 'post',
  action_digest: 'e',
  args: { b: [1, 1e21, 0.1], a: { é: 'ü', '\u20ac': '\n"' } },
  connection_id: 'c',
}

test('it is JSON with sorted keys, numbers and text as RFC 8785 writes them', () => {
  expect(frozenForm(call)).toBe(
    '{"action":"post","action_digest":"e","address":"https://mail.test","args":{"a":{"é":"ü","€":"\\n\\""},' +
      '"b":[1,1e+21,0.1]},"connection_id":"c","connector":"mail","definition_digest":"d","project_id":"p",' +
      '"provider":"http","session_id":null,"v":1}',
  )
})

test('its digest is SHA-256 in hex', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.each(Object.keys(call) as (keyof FrozenCall)[])('another %s is another digest', (key) => {
  const other = { ...call, [key]: key === 'args' ? { b: [] } : 'another' }
  expect(digestOf(frozenForm(other))).not.toBe(digestOf(frozenForm(call)))
})

test('what is not of the call does not get in', () => {
  expect(frozenForm({ ...call, more: 1 } as FrozenCall)).toBe(frozenForm(call))
})

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, item]) => [key, reversed(item)]),
        )
      : value

test('the order of keys and a way through JSON change nothing, and it reads back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      const parsed = JSON.parse(JSON.stringify(args)) as FrozenCall['args']
      const form = frozenForm({ ...call, args: parsed })
      expect(frozenForm({ ...call, args: reversed(parsed) as FrozenCall['args'] })).toBe(form)
      expect((JSON.parse(form) as FrozenCall).args).toEqual(parsed)
      const request = { connector: 'mail', action: 'post' }
      expect(requestDigest({ ...request, args: reversed(parsed) as FrozenCall['args'] })).toBe(
        requestDigest({ ...request, args: parsed }),
      )
    }),
  )
})

test('a request is of its connector, action and arguments', () => {
  const digest = requestDigest(call)
  expect(requestDigest({ ...call, connector: 'docs' })).not.toBe(digest)
  expect(requestDigest({ ...call, action: 'get' })).not.toBe(digest)
  expect(requestDigest({ ...call, args: {} })).not.toBe(digest)
  expect(requestDigest({ ...call, connection_id: 'x' } as FrozenCall)).toBe(digest)
})
