import { expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import fc from 'fast-check'
import {
  catalogue,
  eventDeliveryMachine,
  eventTypes,
  headerIssues,
  matches,
  newSigningSecret,
  nextTry,
  retryAfterSeconds,
  retrySeconds,
  signatureHeaders,
  typesOf,
} from './index.ts'

test('each type is a noun and what became of it, but for the trial', () => {
  for (const type of eventTypes) if (type !== 'ping') expect(type).toMatch(/^[a-z]+(\.[a-z_]+)+$/)
  for (const { text } of Object.values(catalogue)) expect(text).toMatch(/^[A-Z]/)
})

test.each([
  ['*', 27],
  ['cr.*', 6],
  ['session.*', 7],
  ['cr.merged', 1],
  ['cr', 0],
  ['app.*', 4],
  ['app.release.*', 1],
  ['cr.', 0],
  ['ping', 0],
  ['nothing.*', 0],
])('%s means %i types', (pattern, count) => expect(typesOf(pattern)).toHaveLength(count))

test('a pattern matches just the types that it means', () => {
  for (const pattern of ['*', 'cr.*', 'budget.alert', 'session.*'])
    for (const type of eventTypes.filter((one) => one !== 'ping'))
      expect(matches([pattern], type), `${pattern} ${type}`).toBe(typesOf(pattern).includes(type))
  expect(matches(['cr.*', 'ping'], 'ping')).toBe(true)
  expect(matches(['*'], 'ping')).toBe(false)
  expect(matches([], 'cr.opened')).toBe(false)
})

test.each([
  ['send', 'sending', ['pending', 'sending', 'failed']],
  ['release', 'pending', ['sending']],
  ['deliver', 'delivered', ['sending']],
  ['fail', 'failed', ['sending']],
  ['exhaust', 'exhausted', ['sending']],
  ['cancel', 'cancelled', ['pending', 'sending', 'failed']],
] as const)('a delivery: %s leads to %s from %j', (event, to, from) => {
  expect(eventDeliveryMachine.to(event)).toBe(to)
  expect(eventDeliveryMachine.from(event)).toEqual(from)
})

test('the tries end after 23 h 36 min, each a tenth early or late at the most', () => {
  expect(retrySeconds.reduce((sum, seconds) => sum + seconds, 0) / 60).toBeCloseTo(23 * 60 + 36, 0)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, random) => {
        const wait = nextTry({ attempts, random }) ?? -1
        const nominal = 1000 * (retrySeconds[attempts - 1] ?? 0)
        expect(wait).toBeGreaterThanOrEqual(Math.floor(nominal * 0.9))
        expect(wait).toBeLessThanOrEqual(Math.ceil(nominal * 1.1))
      },
    ),
  )
  expect(nextTry({ attempts: 9, random: 0 })).toBeNull()
})

test('an answer delays the next try by an hour at the most', () => {
  expect(nextTry({ attempts: 1, random: 0, retry_after: 90 })).toBe(90_000)
  expect(nextTry({ attempts: 1, random: 0, retry_after: 1e6 })).toBe(3_600_000)
  const now = new Date('2026-01-01T00:00:00Z')
  expect(retryAfterSeconds('12', now)).toBe(12)
  expect(retryAfterSeconds('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60)
  expect(retryAfterSeconds('Wed, 31 Dec 2025 00:01:00 GMT', now)).toBe(0)
  for (const none of ['soon', '', null, undefined]) expect(retryAfterSeconds(none, now)).toBeUndefined()
})

test('the reference library takes either signature of a rotation, and no other', () => {
  const [old, current, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
  const body = JSON.stringify({ type: 'ping', text: 'ä €' })
  const headers = signatureHeaders({ id: 'evt_1', at: new Date(), body }, [old, current])
  for (const secret of [old, current])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(old).verify(body.replace('ping', 'pong'), headers)).toThrow(
    'No matching signature',
  )
  const late = signatureHeaders({ id: 'evt_1', at: new Date(Date.now() - 3_600_000), body }, [old])
  expect(() => new Webhook(old).verify(body, late)).toThrow('too old')
})

test.each([
  [{ Authorization: 'Bearer x', 'X-Team': 'a b' }, []],
  [{ Host: 'x' }, ['is set by the platform; choose another name']],
  [{ 'Content-Type': 'x' }, ['is set by the platform; choose another name']],
  [{ 'webhook-id': 'x' }, ['is set by the platform; choose another name']],
  [{ 'a b': 'x' }, ['is not the name of a header']],
  [{ 'X-A': 'x', 'x-a': 'y' }, ['is given twice']],
  [{ 'X-A': 'line\nbreak' }, ['must be 1 to 2,048 visible ASCII characters']],
  [{ 'X-A': '' }, ['must be 1 to 2,048 visible ASCII characters']],
  [Object.fromEntries([...'abcdefghi'].map((name) => [name, 'x'])), ['must be at most 8 headers']],
])('headers %j: %j', (headers, messages) =>
  expect(headerIssues(headers).map(({ message }) => message)).toEqual(messages),
)
