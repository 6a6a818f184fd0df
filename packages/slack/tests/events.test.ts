import type { Received } from '@svc/channel'
import { expect, test } from 'vitest'
import { slackChannel } from '../src/index.ts'
import { door, fakeSlack, named, never, tokens, wireOf, words } from './support.ts'

async function world(status?: Parameters<typeof door>[1]) {
  const slack = await fakeSlack()
  const received = await door(slack, status)
  const channel = slackChannel({ bot_token: tokens.bot_token, api_url: slack.api_url, wire: wireOf() })
  const conversation = slack.workspace.addConversation('general')
  const user = slack.workspace.addUser('Ada')
  return { slack, received, channel, conversation, user, mention: `<@${slack.bot.user_id}>` }
}

const bodies = (received: readonly Received[]) => received.map(({ body }) => body)

test('a mention comes twice and is one message', async () => {
  const { slack, received, conversation, user, mention } = await world()
  const ts = slack.say({ conversation, user, text: `${mention} fix &lt;b&gt; &amp; go` })
  await slack.settled()
  const key = `${conversation.id}:${ts}`
  expect(received.map(({ message_key }) => message_key)).toEqual([key, key])
  expect(new Set(received.map(({ platform_id }) => platform_id)).size).toBe(2)
  const body = {
    kind: 'message',
    conversation: conversation.id,
    root: ts,
    ref: ts,
    sender: { id: user.id, tenant: slack.team.id, display: user.id },
    direct: false,
    text: 'fix <b> & go',
    mentions_bot: true,
    names_other: false,
    skip: null,
    files: [],
  }
  expect(bodies(received)).toEqual([body, body])
})

test('an event comes again under the same id until it is taken', async () => {
  const tries: (string | string[] | undefined)[] = []
  const { slack, received, conversation, user } = await world((request) => {
    tries.push(request.headers['x-slack-retry-num'])
    return tries.length < 3 ? 503 : 200
  })
  slack.say({ conversation, user, text: 'hi' })
  await slack.settled()
  expect(tries).toEqual([undefined, '1', '2'])
  expect(new Set(received.map(({ platform_id }) => platform_id)).size).toBe(1)
  expect(slack.deliveries).toMatchObject([{ attempts: 3, status: 200 }])
})

test('direct messages, changes, files, and what the bot itself does', async () => {
  const { slack, received, channel, conversation, user } = await world()
  const direct = slack.workspace.addConversation('', 'im')
  const file = slack.file('log.txt', 'text/plain', Buffer.from('abc'))
  const ts = slack.say({ conversation: direct, user, text: 'look', files: [file] })
  await slack.settled()
  slack.change(direct, ts, 'look here')
  await slack.settled()
  slack.remove(direct, ts)
  await slack.settled()
  slack.setMember(conversation, false)
  await slack.settled()
  slack.setMember(conversation, true)
  await slack.settled()
  const ref = await channel.begin(conversation.id, words('News'), named(), never)
  await slack.settled()
  await channel.edit({ conversation: conversation.id, root: ref }, ref, words('Later'), named('m1', 2), never)
  await slack.settled()
  expect(bodies(received)).toMatchObject([
    {
      kind: 'message',
      direct: true,
      skip: null,
      files: [{ name: 'log.txt', bytes: 3, url: file.url_private }],
    },
    { kind: 'message', ref: ts, text: 'look here', skip: 'edited' },
    { kind: 'deleted', conversation: direct.id, ref: ts },
    { kind: 'membership', joined: false },
    { kind: 'membership', joined: true },
    { kind: 'message', ref, skip: 'bot' },
  ])
})

test('a press names its message, its button and the words of the box', async () => {
  const { slack, received, channel, conversation, user } = await world()
  const root = slack.say({ conversation, user, text: 'hi' })
  const buttons = [
    { id: 'merge', label: 'Merge' },
    { id: 'page', label: 'Open', url: 'https://x.example' },
  ]
  const card = words('Merge it?', { buttons, input: { label: 'Comment' } })
  const ref = await channel.post({ conversation: conversation.id, root }, card, named('card', 3), never)
  await slack.settled()
  received.length = 0
  expect(await slack.press(conversation, ref, { user, button: 'Merge', text: 'use Array<string>' })).toBe(200)
  expect(await slack.press(conversation, ref, { user, button: 'Open' })).toBe(200)
  expect(received).toMatchObject([
    {
      platform_id: expect.stringMatching(new RegExp(`^${ref}:svc:0:${user.id}:`)),
      message_key: null,
      body: {
        kind: 'action',
        conversation: conversation.id,
        root,
        ref,
        sender: { id: user.id, tenant: slack.team.id, display: 'ada' },
        message_id: 'card',
        action: 'merge',
        text: 'use Array<string>',
      },
    },
  ])
})
