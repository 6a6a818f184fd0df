import { Inbound } from '@svc/channel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvent } from './event.ts'

const bot = { user_id: 'U0LAN0Z89' }
const envelope = (event: object) => ({
  token: 'ZZZZZZWSxiZZZ2yIvs3peJ',
  team_id: 'T123ABC456',
  api_app_id: 'A123ABC456',
  event,
  type: 'event_callback',
  event_id: 'Ev123ABC456',
  event_time: 1_515_449_522_000_016,
  authed_users: ['U0LAN0Z89'],
})
const read = (event: object) => readEvent(envelope(event), bot)
const bodyOf = (event: object) => read(event)[0]?.body
const message = {
  type: 'message',
  channel: 'C123ABC456',
  user: 'U123ABC456',
  text: 'Hello world',
  ts: '1355517523.000005',
}

test('the documented mention', () => {
  const event = {
    type: 'app_mention',
    user: 'U061F7AUR',
    text: '<@U0LAN0Z89> is it everything a river should be?',
    ts: '1515449522.000016',
    channel: 'C123ABC456',
    event_ts: '1515449522000016',
  }
  expect(read(event)).toEqual([
    {
      platform_id: 'Ev123ABC456',
      message_key: 'C123ABC456:1515449522.000016',
      body: {
        kind: 'message',
        conversation: 'C123ABC456',
        root: '1515449522.000016',
        ref: '1515449522.000016',
        sender: { id: 'U061F7AUR', tenant: 'T123ABC456', display: 'U061F7AUR' },
        direct: false,
        text: 'is it everything a river should be?',
        mentions_bot: true,
        names_other: false,
        skip: null,
        files: [],
      },
    },
  ])
})

test('the documented messages of a channel, a group and a direct conversation', () => {
  expect(bodyOf({ ...message, channel_type: 'channel' })).toMatchObject({
    direct: false,
    mentions_bot: false,
    skip: null,
  })
  expect(bodyOf({ ...message, channel: 'G024BE91L', channel_type: 'group' })).toMatchObject({ direct: false })
  expect(bodyOf({ ...message, channel: 'D024BE91L', channel_type: 'im' })).toMatchObject({ direct: true })
  expect(bodyOf({ ...message, channel_type: 'mpim' })).toMatchObject({ direct: false })
})

test('an answer in a thread has the root of the thread', () => {
  expect(bodyOf({ ...message, thread_ts: '1355517520.000001' })).toMatchObject({
    root: '1355517520.000001',
    ref: '1355517523.000005',
  })
})

test('a person of another team is of that team', () => {
  expect(bodyOf({ ...message, team: 'T1', user_team: 'T2', source_team: 'T2' })).toMatchObject({
    sender: { tenant: 'T2' },
  })
})

test.each([
  ['<@U1> what do you think?', true],
  ['  <@U1|ada>, and you?', true],
  ['<@U0LAN0Z89> ask <@U1>', false],
  ['ask <@U1>', false],
])('%j names another person: %s', (text, names_other) =>
  expect(bodyOf({ ...message, text })).toMatchObject({ names_other }),
)

test.each([
  [{ subtype: 'bot_message', bot_id: 'BB12033', username: 'github', user: undefined }, 'bot'],
  [{ bot_id: 'BB12033' }, 'bot'],
  [{ user: bot.user_id }, 'bot'],
  [{ subtype: 'channel_join' }, 'system'],
  [{ subtype: 'channel_topic', topic: 'x' }, 'system'],
  [{ subtype: 'message_replied' }, 'system'],
  [{ user: undefined }, 'system'],
  [{ subtype: 'file_share' }, null],
  [{ subtype: 'thread_broadcast' }, null],
  [{ subtype: 'me_message' }, null],
])('%j is skipped as %s', (change, skip) => expect(bodyOf({ ...message, ...change })).toMatchObject({ skip }))

test('the documented change of a message, which is no message of its own', () => {
  const changed = {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel: 'C123ABC456',
    ts: '1358878755.000001',
    message: {
      type: 'message',
      user: 'U123ABC456',
      text: 'Hello, world!',
      ts: '1355517523.000005',
      edited: { user: 'U123ABC456', ts: '1358878755.000001' },
    },
  }
  expect(read(changed)).toMatchObject([
    {
      message_key: null,
      body: { kind: 'message', ref: '1355517523.000005', text: 'Hello, world!', skip: 'edited' },
    },
  ])
  expect(read({ ...changed, message: { ...changed.message, user: bot.user_id, bot_id: 'B1' } })).toEqual([])
  const tombstone = { ...changed.message, subtype: 'tombstone', user: 'USLACKBOT' }
  expect(bodyOf({ ...changed, message: tombstone })).toEqual({
    kind: 'deleted',
    conversation: 'C123ABC456',
    ref: '1355517523.000005',
  })
})

test('the documented deletion', () => {
  const deleted = {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    channel: 'C123ABC456',
    ts: '1358878755.000001',
    deleted_ts: '1358878749.000002',
  }
  expect(bodyOf(deleted)).toEqual({ kind: 'deleted', conversation: 'C123ABC456', ref: '1358878749.000002' })
})

test('files, those of other teams by their ids', () => {
  const files = [
    {
      id: 'F1',
      name: 'a.txt',
      mimetype: 'text/plain',
      size: 3,
      url_private: 'https://files.slack.com/files-pri/T1-F1/a.txt',
      url_private_download: 'https://files.slack.com/files-pri/T1-F1/download/a.txt',
    },
    { id: 'F2', file_access: 'check_file_info' },
  ]
  expect(bodyOf({ ...message, subtype: 'file_share', files })).toMatchObject({
    files: [
      {
        name: 'a.txt',
        type: 'text/plain',
        bytes: 3,
        url: 'https://files.slack.com/files-pri/T1-F1/download/a.txt',
      },
      { name: 'F2', type: 'application/octet-stream', bytes: 0, url: 'slack:F2' },
    ],
  })
})

test('the bot comes and goes; others do not matter', () => {
  const joined = {
    type: 'member_joined_channel',
    user: bot.user_id,
    channel: 'C1',
    channel_type: 'C',
    team: 'T1',
    inviter: 'U1',
  }
  expect(bodyOf(joined)).toEqual({ kind: 'membership', conversation: 'C1', joined: true })
  expect(bodyOf({ ...joined, type: 'member_left_channel' })).toMatchObject({ joined: false })
  expect(bodyOf({ type: 'channel_left', channel: 'C1', actor_id: 'U1', event_ts: '1' })).toMatchObject({
    joined: false,
  })
  expect(read({ ...joined, user: 'U1' })).toEqual([])
})

test.each([
  null,
  [],
  'text',
  {},
  { type: 'event_callback' },
  { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1 },
  envelope({ type: 'reaction_added', user: 'U1' }),
  envelope({ type: 'message', channel: 'C1' }),
])('nothing is read of %j', (body) => expect(readEvent(body, bot)).toEqual([]))

test('whatever comes, the reading does not fail, and what it reads has the shape of the seam', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('U1', bot.user_id, '1.2', '<@U1> hi'))
  const event = fc.record(
    {
      type: fc.constantFrom('message', 'app_mention', 'member_joined_channel', 'channel_left'),
      subtype: fc.constantFrom('message_changed', 'message_deleted', 'file_share', 'bot_message'),
      channel: text,
      user: text,
      text,
      ts: text,
      deleted_ts: text,
      message: fc.oneof(fc.record({ ts: text, user: text, text }), fc.jsonValue()),
      files: fc.oneof(fc.array(fc.record({ id: text })), fc.jsonValue()),
    },
    { requiredKeys: ['type'] },
  )
  fc.assert(
    fc.property(event, (event) => {
      for (const { body } of read(event)) expect(Inbound.parse(body)).toEqual(body)
    }),
  )
})
