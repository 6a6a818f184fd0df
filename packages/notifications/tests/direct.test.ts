import { randomUUID } from 'node:crypto'
import type { ListenPayloads } from '@svc/db'
import { connectChannel, openChannelPlatforms } from '@svc/channels'
import { sendMessages } from '@svc/channels/worker'
import { addMember, makeProject, newSession, openWorld } from '@svc/services/testing'
import { afterAll, expect, test } from 'vitest'
import { startFakeSlack } from '../../slack/tests/fake-slack/index.ts'
import { announcePresence, updateNotificationSettings } from '../src/index.ts'
import { ask, notificationWorker, told } from './support.ts'

const world = await openWorld()
const worker = await notificationWorker(world)
const tokens = { bot_token: 'xoxb-1', signing_secret: 'signing' }

/** A project with a workspace of Slack, in which the person of a session is known. */
async function scene() {
  const slack = await startFakeSlack({ ...tokens, now: world.clock.now })
  const { platforms, close } = openChannelPlatforms(['127.0.0.0/8'])
  afterAll(async () => {
    await close()
    await slack.close()
  })
  const project = await makeProject(world)
  const { project_id, account_id, owner } = project
  const ada = await addMember(world, project, 'editor')
  const ctx = world.as(ada.principal)
  const { channel_id } = await connectChannel(
    { ...world.as(owner.principal), channel_platforms: platforms },
    { project_id, platform: 'chat_a', credentials: tokens, settings: { api_url: slack.api_url } },
  )
  const user = slack.workspace.addUser('Ada')
  const link = async (tenant = slack.workspace.team.id) => {
    await world.db
      .insertInto('channel_links')
      .values({
        ...{ link_id: randomUUID(), account_id, platform: 'chat_a', tenant, external_user: user.id },
        ...{ display: 'Ada', user_id: ada.user_id, mfa: false, sso_account_id: null },
        ...{ created_at: world.clock.now(), revoked_at: null, last_used_at: null },
      })
      .execute()
  }
  const session = await newSession(world, project, { name: 'Fix the typo' }, ctx)
  await world.queue.drain()
  const base = world.worker()
  const send = async () => {
    await sendMessages({ ...base, channel_platforms: platforms }, channel_id)
    world.clock.advance(60_000)
  }
  const direct = () => slack.workspace.directWith(user.id).messages.map(({ text }) => text)
  return { slack, project, ctx, session, channel_id, user, link, send, direct }
}

const wanted = { kinds: { needs_me: { channel: true } } } as const

test('a person who wants it is told in the chat in which they are known, once, also where an answer is lost', async () => {
  const { slack, project, ctx, session, link, send, direct } = await scene()
  await link()
  await ask(world, session, 'Before?')
  await worker.publish(project.account_id)
  await send()
  expect(direct()).toEqual([])
  await updateNotificationSettings(ctx, wanted)
  await ask(world, session, 'Which database?')
  await worker.publish(project.account_id)
  await worker.publish(project.account_id)
  slack.loseAnswers(1)
  for (let round = 0; round < 4; round += 1) await send()
  expect(direct()).toHaveLength(1)
  expect(
    JSON.stringify(slack.workspace.directWith(slack.workspace.users.keys().next().value ?? '').messages),
  ).toMatch(/Which database\?.*\/dashboard\/projects\//)
})

test('nothing is sent to a person who is in the session, is linked in another workspace, or is linked no more', async () => {
  const { project, ctx, session, link, send, direct } = await scene()
  await updateNotificationSettings(ctx, wanted)
  await link('T99999999')
  await ask(world, session, 'One?')
  await worker.publish(project.account_id)
  await link()
  await announcePresence(ctx, session.key)
  await ask(world, session, 'Two?')
  await worker.publish(project.account_id)
  world.clock.advance(60_000)
  await world.db
    .updateTable('channel_links')
    .set({ revoked_at: world.clock.now() })
    .where('account_id', '=', project.account_id)
    .execute()
  await ask(world, session, 'Three?')
  await worker.publish(project.account_id)
  await send()
  expect(direct()).toEqual([])
  expect(await told(ctx)).toHaveLength(3)
})

test('a workspace that refuses direct messages fails those alone', async () => {
  const { slack, project, ctx, session, channel_id, link, send, direct } = await scene()
  await link()
  await updateNotificationSettings(ctx, wanted)
  slack.grant(['chat:write', 'users:read'])
  await ask(world, session, 'Which?')
  await worker.publish(project.account_id)
  for (let round = 0; round < 6; round += 1) await send()
  expect(direct()).toEqual([])
  const rows = await world.db
    .selectFrom('channel_messages')
    .select(['state', 'error'])
    .where('channel_id', '=', channel_id)
    .execute()
  expect(rows).toMatchObject([{ state: 'failed', error: expect.stringContaining('im:write') }])
})

test('the pages of a project learn of its channels, by ids alone', async () => {
  const changes: ListenPayloads['change'][] = []
  const stop = world.base.listener.subscribe('change', (change) => change && changes.push(change))
  const { project, channel_id } = await scene()
  const told_of = () =>
    changes.filter(({ kind, project_id }) => kind === 'channel' && project_id === project.project_id)
  await expect.poll(() => told_of().map(({ id }) => id)).toEqual([channel_id])
  await world.db
    .updateTable('project_channels')
    .set({ last_received_at: world.clock.now() })
    .where('channel_id', '=', channel_id)
    .execute()
  await world.db
    .updateTable('project_channels')
    .set({ status: 'degraded' })
    .where('channel_id', '=', channel_id)
    .execute()
  await expect.poll(() => told_of().length).toBe(2)
  stop()
})
