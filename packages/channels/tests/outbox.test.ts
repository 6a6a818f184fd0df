import { ChannelRefused } from '@svc/channel'
import { channelMessages, channels, channelThreads } from '@svc/db/channels'
import { metricValue, openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { getChannel, listChannelMessages, sendChannelMessage, updateChannel } from '../src/index.ts'
import { sendMessages } from '../src/worker/index.ts'
import { endChannel } from '../src/worker/platform-of.ts'
import { openStage, type Stage, tokens } from './support.ts'

const world = await openWorld({ session_cap: 500 })

/** A thread into which the test writes. */
async function thread(stage: Stage) {
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [row] = await world.db
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', stage.channel_id)
    .execute()
  if (row === undefined) throw new Error('There is no thread')
  const write = (text: string) =>
    world.db.transaction().execute(async (tx) => {
      const locked = await channelThreads.lock(tx, row.thread_id)
      if (locked === undefined) throw new Error('The thread is lost')
      const message = { message_id: world.base.newId(), kind: 'notice' as const, body: { text } }
      return channelMessages.append(tx, locked, message, world.clock.now())
    })
  const texts = () =>
    stage
      .said(root)
      .map(({ text }) => text)
      .slice(1)
  return { root, write, texts, thread_id: row.thread_id }
}

test('messages of a thread arrive once and in order, whatever is lost, refused for a while or left by a worker that died', async () => {
  const stage = await openStage(world)
  const { write, texts } = await thread(stage)
  for (const text of ['one', 'two', 'three', 'four']) await write(text)
  const { slack, channel_id, worker } = stage
  // The first is taken, and its answer is lost.
  slack.loseAnswers(1)
  await sendMessages(worker, channel_id)
  expect(texts()).toEqual(['one'])
  // Meanwhile the platform is away, then asks to wait.
  slack.break(1)
  world.clock.advance(2_000)
  await sendMessages(worker, channel_id)
  slack.limit(1, 3)
  world.clock.advance(6_000)
  await sendMessages(worker, channel_id)
  expect(await metricValue(world, 'svc_channel_blocked_seconds_total', { platform: 'chat_a' })).toBe(3)
  expect(texts()).toEqual(['one'])
  world.clock.advance(2_000)
  await sendMessages(worker, channel_id)
  expect(texts()).toEqual(['one'])
  world.clock.advance(60_000)
  await sendMessages(worker, channel_id)
  world.clock.advance(60_000)
  await sendMessages(worker, channel_id)
  expect(texts()).toEqual(['one', 'two', 'three', 'four'])
  const { messages } = await listChannelMessages(stage.asPerson(stage.project.owner), {
    ...{ project_id: stage.project.project_id, slug: 'svc_chat_a', limit: 50 },
  })
  expect(messages.filter(({ state }) => state !== 'sent')).toEqual([])
})

test('one that a worker had begun to send is looked for before it is sent again', async () => {
  const stage = await openStage(world)
  const { write, texts } = await thread(stage)
  const message = await write('left')
  // A worker took it up, and is gone: before the request, and in another test run after it.
  await world.db
    .updateTable('channel_messages')
    .set({ state: 'sending', retry_at: null, sending_since: world.clock.now() })
    .where('message_id', '=', message?.message_id ?? '')
    .execute()
  await sendMessages(stage.worker, stage.channel_id)
  expect(texts()).toEqual([])
  world.clock.advance(31_000)
  await sendMessages(stage.worker, stage.channel_id)
  world.clock.advance(6_000)
  await sendMessages(stage.worker, stage.channel_id)
  expect(texts()).toEqual(['left'])
  expect(stage.slack.calls.filter(({ method }) => method === 'conversations.replies').length).toBeGreaterThan(
    1,
  )
})

test('a revoked token ends the channel: its credentials are destroyed, and its managers are told', async () => {
  const stage = await openStage(world)
  const { write } = await thread(stage)
  await write('too late')
  stage.slack.revoke()
  const ended: string[] = []
  const worker = {
    ...stage.worker,
    channel_ended: async (_: unknown, __: unknown, reason: string) => void ended.push(reason),
  }
  await sendMessages(worker, stage.channel_id)
  const row = await channels.findById(world.db, stage.channel_id)
  expect(row).toMatchObject({ status: 'disconnected', sealed_credentials: null })
  expect(ended).toEqual(['credential_refused'])
  const { project_id } = stage.project
  expect(
    await getChannel(stage.asPerson(stage.project.owner), { project_id, slug: 'svc_chat_a' }),
  ).toMatchObject({
    status: 'disconnected',
  })
})

test('a message is sent to what the channel lists and to its threads, once for each key', async () => {
  const stage = await openStage(world)
  const { thread_id, texts } = await thread(stage)
  const owner = stage.asPerson(stage.project.owner)
  const to = { project_id: stage.project.project_id, slug: 'svc_chat_a' }
  const first = await sendChannelMessage(owner, { ...to, thread_id, text: 'by hand', idempotency_key: 'k' })
  const again = await sendChannelMessage(owner, { ...to, thread_id, text: 'by hand', idempotency_key: 'k' })
  expect(again.message_id).toBe(first.message_id)
  await stage.run()
  expect(texts()).toEqual(['by hand'])
  const elsewhere = stage.slack.workspace.addConversation('elsewhere')
  for (const conversation of [elsewhere.id, 'constructor'])
    await expect(sendChannelMessage(owner, { ...to, conversation, text: 'no' })).rejects.toMatchObject({
      code: 'conversation_not_in_project',
    })
})

test('credentials that came meanwhile outlive the refusal of the earlier ones', async () => {
  const stage = await openStage(world)
  const { write } = await thread(stage)
  await write('kept')
  const [earlier] = [await stage.row()]
  const owner = stage.asPerson(stage.project.owner)
  const to = { project_id: stage.project.project_id, slug: 'svc_chat_a' }
  await updateChannel(owner, { ...to, credentials: tokens })
  await endChannel(stage.worker, earlier, new ChannelRefused('credential_refused', 'token_revoked'))
  expect(await stage.row()).toMatchObject({ status: 'connected', fence: 1 })
  await expect(updateChannel(owner, { ...to, credentials: { bot_token: 'xoxb-1' } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await endChannel(stage.worker, await stage.row(), new ChannelRefused('credential_refused', 'token_revoked'))
  expect(await stage.row()).toMatchObject({
    status: 'disconnected',
    disconnected_reason: 'credential_refused',
  })
})

test('a card that is older than a day is changed for as long as that may be tried', async () => {
  const stage = await openStage(world)
  const { write, texts } = await thread(stage)
  const message = await write('open')
  await stage.run()
  world.clock.advance(2 * 86_400_000)
  const { message_id = '' } = message ?? {}
  await channelMessages.edit(world.db, message_id, { body: { text: 'merged' }, now: world.clock.now() })
  stage.slack.break(1)
  await sendMessages(stage.worker, stage.channel_id)
  expect(texts()).toEqual(['open'])
  world.clock.advance(5_000)
  await sendMessages(stage.worker, stage.channel_id)
  expect(texts()).toEqual(['merged'])
})
