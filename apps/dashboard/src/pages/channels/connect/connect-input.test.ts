import { expect, test } from 'vitest'
import { connectInput, isIncomplete, noFields } from './connect-input.ts'

const secrets = { bot_token: ' xoxb-1 ', signing_secret: 'of the app', app_token: 'xapp-1' }

test('only the secret of the way to receive is sent, and empty fields are left out', () => {
  expect(connectInput({ ...noFields, secrets })).toEqual({
    platform: 'chat_a',
    credentials: { bot_token: 'xoxb-1', signing_secret: 'of the app' },
    settings: { transport: 'events' },
    policy: 'owner_approval',
    thread_replies: 'all',
  })
  const socket = { ...noFields, secrets, transport: 'socket', api_url: 'https://slack-gov.com/api/' } as const
  expect(connectInput({ ...socket, name: ' Support ', agent: 'helper', slug: 'support' })).toMatchObject({
    credentials: { bot_token: 'xoxb-1', app_token: 'xapp-1' },
    settings: { transport: 'socket', api_url: 'https://slack-gov.com/api/' },
    name: 'Support',
    agent: 'helper',
    slug: 'support',
  })
})

test.each([
  ['events', { ...secrets, app_token: '' }, false],
  ['events', { ...secrets, signing_secret: ' ' }, true],
  ['socket', { ...secrets, signing_secret: '' }, false],
  ['socket', { ...secrets, bot_token: '' }, true],
] as const)('by %s, %j lacks a secret: %j', (transport, given, incomplete) =>
  expect(isIncomplete(transport, given)).toBe(incomplete),
)
