import { ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { answerError, channelError } from './errors.ts'

const refused = (status: number, body: unknown, retry_after: string | null = null) =>
  answerError({ status, body, retry_after })
const credential = { name: 'ChannelRefused', reason: 'credential_refused' }

test.each([
  [401, 'M_UNKNOWN_TOKEN', credential],
  [401, 'M_MISSING_TOKEN', credential],
  [403, 'M_USER_DEACTIVATED', credential],
  [401, 'M_USER_LOCKED', { name: 'Error' }],
  [403, 'M_FORBIDDEN', { name: 'MessageRefused', errcode: 'M_FORBIDDEN' }],
  [404, 'M_NOT_FOUND', { name: 'MessageRefused' }],
  [413, 'M_TOO_LARGE', { name: 'MessageRefused' }],
  [500, 'M_UNKNOWN', { name: 'Error', message: 'The homeserver answered with status 500' }],
  [400, '<html>', { name: 'Error', message: 'The API answered as none of Matrix, with status 400' }],
])('%i %s', (status, errcode, expected) => expect(refused(status, { errcode })).toMatchObject(expected))

test.each([
  [{ errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2_500 }, '9', 2_500],
  [{ errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 10 }, null, 1_000],
  [{ errcode: 'M_LIMIT_EXCEEDED' }, '7', 7_000],
  [{ errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 'soon' }, 'soon', 1_000],
  [null, null, 1_000],
])('a limit: %j with Retry-After %s is %i ms', (body, header, ms) => {
  expect(refused(429, body, header)).toEqual(new RateLimited(ms))
})

test('an error of the network is looked into', () => {
  const wrapped = (cause: Error) => new TypeError('fetch failed', { cause })
  const closed = Object.assign(new Error('10.0.0.1 is not public'), { name: 'RefusedTarget' })
  expect(channelError(wrapped(closed))).toEqual(
    new ChannelRefused('private_address', '10.0.0.1 is not public'),
  )
  for (const error of [wrapped(new Error('ECONNRESET')), 'text']) {
    const found = channelError(error)
    for (const kind of [ChannelRefused, RateLimited, MessageRefused]) expect(found).not.toBeInstanceOf(kind)
  }
})
