import { ChannelRefused, type Received } from '@svc/channel'
import { expect, test } from 'vitest'
import { slackSocket } from '../src/index.ts'
import type { FakeSlack } from './fake-slack/index.ts'
import { closeLater, fakeSlack, tokens, wireOf } from './support.ts'

/** Follows the fake until the test ends; `take` decides over each. */
function follow(
  slack: FakeSlack,
  take: (received: Received) => Promise<void> = async () => {},
  ping_ms = 10_000,
) {
  const received: Received[] = []
  const stop = new AbortController()
  const socket = slackSocket({
    app_token: tokens.app_token,
    api_url: slack.api_url,
    wire: wireOf(),
    bot: slack.bot,
    ping_ms,
  })
  const ended = socket.follow(async (some) => {
    for (const one of some) {
      received.push(one)
      await take(one)
    }
  }, stop.signal)
  ended.catch(() => {})
  closeLater(async () => stop.abort())
  return { received, stop: () => stop.abort(), ended }
}

async function world(timeout_ms = 3_000) {
  const slack = await fakeSlack({ timeout_ms })
  const conversation = slack.workspace.addConversation('general')
  const user = slack.workspace.addUser('Ada')
  return { slack, conversation, user }
}

const isOpen = (slack: FakeSlack, count = 1) => expect.poll(() => slack.sockets.open).toBe(count)

test('events and presses come over the socket, those from before it was open too', async () => {
  const { slack, conversation, user } = await world()
  slack.say({ conversation, user, text: 'early' })
  const { received } = follow(slack)
  await isOpen(slack)
  slack.say({ conversation, user, text: `<@${slack.bot.user_id}> now` })
  await slack.settled()
  expect(received.map(({ body }) => body.kind === 'message' && body.text)).toEqual(['early', 'now', 'now'])
  expect(slack.deliveries.every(({ attempts, status }) => attempts === 1 && status === 200)).toBe(true)
  const [reply] = slack.sockets.replies
  expect(reply).toEqual({ envelope_id: expect.any(String) })
})

test('the acknowledgement waits until the event is taken', async () => {
  const { slack, conversation, user } = await world()
  let commit = () => {}
  const committed = new Promise<void>((done) => (commit = done))
  const { received } = follow(slack, () => committed)
  await isOpen(slack)
  slack.say({ conversation, user, text: 'hi' })
  await expect.poll(() => received.length).toBe(1)
  expect(slack.sockets.replies).toEqual([])
  commit()
  await slack.settled()
  expect(slack.sockets.replies).toHaveLength(1)
})

test('what was not taken comes again', async () => {
  const { slack, conversation, user } = await world(50)
  let tries = 0
  const { received } = follow(slack, async () => {
    if ((tries += 1) < 3) throw new Error('no commit')
  })
  await isOpen(slack)
  slack.say({ conversation, user, text: 'hi' })
  await slack.settled()
  expect(new Set(received.map(({ platform_id }) => platform_id)).size).toBe(1)
  expect(received).toHaveLength(3)
  expect(slack.deliveries).toMatchObject([{ attempts: 3, status: 200 }])
})

test('a connection that Slack wants to end is left once there is another, and what is under way is acknowledged', async () => {
  const { slack, conversation, user } = await world()
  let commit = () => {}
  const committed = new Promise<void>((done) => (commit = done))
  const { received } = follow(slack, () => committed)
  await isOpen(slack)
  slack.say({ conversation, user, text: 'before' })
  await expect.poll(() => received.length).toBe(1)
  slack.sockets.disconnect('warning', 1_500)
  await isOpen(slack, 2)
  commit()
  await slack.settled()
  expect(slack.deliveries).toMatchObject([{ attempts: 1, status: 200 }])
  await isOpen(slack, 1)
  slack.say({ conversation, user, text: 'after' })
  await slack.settled()
  expect(received).toHaveLength(2)
})

test('one that breaks, or falls silent, is opened again', async () => {
  const { slack, conversation, user } = await world(200)
  const { received } = follow(slack, undefined, 100)
  await isOpen(slack)
  slack.sockets.drop()
  slack.say({ conversation, user, text: 'one' })
  await slack.settled()
  const opened = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length
  expect(opened()).toBe(2)
  slack.sockets.freeze()
  await expect.poll(opened).toBe(3)
  expect(received).toHaveLength(1)
})

test('a message that is no envelope ends nothing', async () => {
  const { slack, conversation, user } = await world()
  const { received } = follow(slack)
  await isOpen(slack)
  for (const text of [
    'null',
    '{',
    '[]',
    '{"type":"events_api","envelope_id":"e1","payload":null}',
    '{"type":"x"}',
  ])
    slack.sockets.sendRaw(text)
  slack.say({ conversation, user, text: 'hi' })
  await slack.settled()
  expect(received).toHaveLength(1)
  expect(slack.sockets.replies).toContainEqual({ envelope_id: 'e1' })
})

test('following ends with its signal, after what is under way', async () => {
  const { slack, conversation, user } = await world()
  let commit = () => {}
  const committed = new Promise<void>((done) => (commit = done))
  const { received, stop, ended } = follow(slack, () => committed)
  await isOpen(slack)
  slack.say({ conversation, user, text: 'hi' })
  await expect.poll(() => received.length).toBe(1)
  stop()
  commit()
  await ended
  await slack.settled()
  expect(slack.deliveries).toMatchObject([{ attempts: 1, status: 200 }])
  await isOpen(slack, 0)
})

test('a token that is of no use ends it, and so does an address that is not public', async () => {
  const { slack } = await world()
  const { signal } = new AbortController()
  const options = { api_url: slack.api_url, bot: slack.bot }
  const other = slackSocket({ ...options, app_token: 'xapp-other', wire: wireOf() })
  await expect(other.follow(async () => {}, signal)).rejects.toMatchObject({ reason: 'credential_refused' })
  const closed = slackSocket({ ...options, app_token: tokens.app_token, wire: wireOf([]) })
  await expect(closed.follow(async () => {}, signal)).rejects.toBeInstanceOf(ChannelRefused)
})

test('the address of the socket is checked as well', async () => {
  const { slack } = await world()
  slack.sockets.host = '10.0.0.1'
  const socket = slackSocket({
    app_token: tokens.app_token,
    api_url: slack.api_url,
    bot: slack.bot,
    wire: wireOf(),
  })
  const followed = socket.follow(async () => {}, new AbortController().signal)
  await expect(followed).rejects.toMatchObject({ name: 'ChannelRefused', reason: 'private_address' })
})
