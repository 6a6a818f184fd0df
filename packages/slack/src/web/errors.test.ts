import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api'
import { ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { channelError, rateLimited } from './errors.ts'

const refused = (error: string, more = {}) =>
  channelError(new WebAPIPlatformError({ ok: false, error, ...more }))
const credential = { name: 'ChannelRefused', reason: 'credential_refused' }

test.each([
  ['invalid_auth', credential],
  ['not_authed', credential],
  ['account_inactive', credential],
  ['token_revoked', credential],
  ['token_expired', credential],
  ['missing_scope', { name: 'ChannelRefused', reason: 'missing_scope' }],
  ['ratelimited', { name: 'RateLimited', retry_after_ms: 1_000 }],
  ['channel_not_found', { name: 'MessageRefused' }],
  ['is_archived', { name: 'MessageRefused' }],
  ['not_in_channel', { name: 'MessageRefused' }],
  ['msg_too_long', { name: 'MessageRefused' }],
  ['message_not_found', { name: 'MessageRefused' }],
  ['cant_update_message', { name: 'MessageRefused' }],
  ['invalid_blocks', { name: 'MessageRefused' }],
  ['internal_error', { name: 'Error' }],
  ['fatal_error', { name: 'Error' }],
  ['service_unavailable', { name: 'Error' }],
  ['<html>a page</html>', { name: 'Error', message: 'The API did not answer as that of Slack' }],
])('%s', (code, expected) => expect(refused(code)).toMatchObject(expected))

test('the scope that is missing is named', () => {
  expect(refused('missing_scope', { needed: 'chat:write', provided: 'im:read' }).message).toContain(
    'chat:write',
  )
})

test.each([
  ['7', 7_000],
  ['0', 1_000],
  [null, 1_000],
  ['soon', 1_000],
  [30, 30_000],
])('Retry-After %s is %i ms', (value, ms) => expect(rateLimited(value).retry_after_ms).toBe(ms))

test('an error of the network is looked into', () => {
  const wrapped = (cause: Error) => new WebAPIRequestError(new TypeError('fetch failed', { cause }))
  const closed = Object.assign(new Error('10.0.0.1 is not public'), { name: 'RefusedTarget' })
  expect(channelError(wrapped(closed))).toEqual(
    new ChannelRefused('private_address', '10.0.0.1 is not public'),
  )
  expect(channelError(wrapped(new RateLimited(5_000)))).toEqual(new RateLimited(5_000))
  for (const error of [
    wrapped(new Error('ECONNRESET')),
    new WebAPIHTTPError(502, 'Bad Gateway', {}),
    'text',
  ]) {
    const found = channelError(error)
    for (const kind of [ChannelRefused, RateLimited, MessageRefused]) expect(found).not.toBeInstanceOf(kind)
  }
})
