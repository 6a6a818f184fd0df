import { channels } from '@svc/db/channels'
import { makeProject, openWorld } from '@svc/services/testing'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startFakeSlack } from '../../slack/tests/fake-slack/index.ts'
import { connectChannel, openChannelPlatforms } from '../src/index.ts'
import { type ChannelWorkerContext, holdStreams } from '../src/worker/index.ts'

const world = await openWorld({ session_cap: 500 })
const { platforms, close } = openChannelPlatforms(['127.0.0.0/8'])
afterAll(() => close())
const tokens = { bot_token: 'xoxb-1', app_token: 'xapp-1' }

/** A channel of Slack by a socket, and processes that may hold it. */
async function openSocketStage(given: Readonly<Record<string, string>> = tokens) {
  const slack = await startFakeSlack({ ...tokens, signing_secret: 'signing' })
  onTestFinished(() => slack.close())
  const project = await makeProject(world)
  const ctx = { ...world.as(project.owner.principal), channel_platforms: platforms }
  const { project_id } = project
  const { channel_id, transport, receive_url } = await connectChannel(ctx, {
    ...{ project_id, platform: 'chat_a', credentials: given, settings: { api_url: slack.api_url } },
  })
  expect([transport, receive_url]).toEqual(['socket', null])
  const worker: ChannelWorkerContext = { ...world.worker(), channel_platforms: platforms }
  const holder = () => {
    const streams = holdStreams(worker)
    onTestFinished(() => streams.close())
    return streams
  }
  const general = slack.workspace.addConversation('general')
  const ada = slack.workspace.addUser('Ada')
  const say = (text: string) => slack.say({ conversation: general, user: ada, text })
  const kept = async () => {
    const rows = await world.db
      .selectFrom('channel_deliveries')
      .select('body')
      .where('channel_id', '=', channel_id)
      .orderBy('position')
      .execute()
    return rows.map(({ body }) => (body !== null && 'text' in body ? body.text : null))
  }
  const row = () => channels.findById(world.db, channel_id)
  return { slack, holder, say, kept, row }
}

test('one process holds the socket of a channel; another takes it when that one leaves, or gives no sign', async () => {
  const { holder, say, kept, row, slack } = await openSocketStage()
  const [first, second, third] = [holder(), holder(), holder()]
  await first.look()
  await second.look()
  expect(await row()).toMatchObject({ fence: 1 })
  await expect.poll(() => slack.calls.some(({ method }) => method === 'apps.connections.open')).toBe(true)
  say('one')
  await expect.poll(kept).toEqual(['one'])
  await first.close()
  await second.look()
  expect(await row()).toMatchObject({ fence: 2 })
  say('two')
  await expect.poll(kept).toEqual(['one', 'two'])
  world.clock.advance(31_000)
  await third.look()
  expect(await row()).toMatchObject({ fence: 3 })
  say('three')
  // Both may hear it: it is kept once.
  await expect.poll(kept).toEqual(['one', 'two', 'three'])
})

test('an app token that Slack refuses connects nothing', async () => {
  await expect(openSocketStage({ ...tokens, app_token: 'xapp-wrong' })).rejects.toMatchObject({
    code: 'channel_not_usable',
    details: { reason: 'credential_refused' },
    message: expect.stringContaining('connections:write'),
  })
})

test('an app token that was withdrawn degrades the channel, whose bot is let in all the same', async () => {
  const { holder, row, slack } = await openSocketStage()
  slack.withdrawAppToken()
  const streams = holder()
  for (let look = 0; look < 6; look += 1) {
    world.clock.advance(600_000)
    await streams.look()
    await expect.poll(async () => (await row())?.failures).toBe(look + 1)
    await expect
      .poll(async () => ((await row())?.held_until?.getTime() ?? 0) - world.clock.now().getTime())
      .toBeLessThanOrEqual(300_000)
  }
  expect(await row()).toMatchObject({ status: 'degraded', disconnected_reason: null })
})
