import { expect, test } from 'vitest'
import { connectInput, isIncomplete, noFields } from './connect-input.ts'
import { credentialsOf, lacksSecret, noSecrets, secretPaths } from './secrets.ts'

const secrets = {
  bot_token: ' xoxb-1 ',
  signing_secret: 'of the app',
  app_token: 'xapp-1',
  access_token: ' syt_1 ',
}

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
  ['sync', { ...noSecrets, access_token: 'syt_1' }, false],
  ['sync', { ...secrets, access_token: ' ' }, true],
] as const)('by %s, %j lacks a secret: %j', (transport, given, lacks) =>
  expect(lacksSecret(transport, given)).toBe(lacks),
)

test('Matrix is sent its address and its token, and nothing of Slack', () => {
  const fields = {
    ...noFields,
    platform: 'chat_b',
    secrets,
    api_url: 'https://slack-gov.com/api/',
    homeserver_url: ' https://matrix.example.com ',
  } as const
  expect(connectInput({ ...fields, name: 'Rooms', thread_replies: 'mention' })).toEqual({
    platform: 'chat_b',
    credentials: { access_token: 'syt_1' },
    settings: { homeserver_url: 'https://matrix.example.com' },
    policy: 'owner_approval',
    thread_replies: 'mention',
    name: 'Rooms',
  })
})

test.each([
  [{ platform: 'chat_a', homeserver_url: '' }, false],
  [{ platform: 'chat_b', homeserver_url: 'https://matrix.example.com' }, false],
  [{ platform: 'chat_b', homeserver_url: ' ' }, true],
  [{ platform: 'chat_b', homeserver_url: 'https://matrix.example.com', secrets: noSecrets }, true],
] as const)('with %j the form is incomplete: %j', (given, incomplete) =>
  expect(isIncomplete({ ...noFields, secrets, ...given })).toBe(incomplete),
)

test.each(['events', 'socket', 'sync'] as const)(
  'by %s, the secrets that are sent have their paths',
  (transport) =>
    expect(Object.keys(credentialsOf(transport, secrets)).map((name) => `credentials.${name}`)).toEqual(
      secretPaths(transport),
    ),
)
