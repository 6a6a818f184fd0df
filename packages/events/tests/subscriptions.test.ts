import { addMember, makeProject, openWorld, type TestProject } from '@svc/services/testing'

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listEvents,
  listSubscriptions,
  pingSubscription,
  replayEvents,
  rotateSubscriptionSecret,
  updateSubscription,
} from '../src/index.ts'
import { eventWorker, happen as happenIn, startReceiver, subscribe as subscribeWith } from './support.ts'

const world = await openWorld({ outbound_addresses: ['127.0.0.0/8'] })
const worker = await eventWorker(world)
const happen = (project: TestProject, ...slugs: readonly string[]) => happenIn(world, project, ...slugs)
const subscribe = (project: TestProject, url: string, more = {}) => subscribeWith(worker, project, url, more)

test('a rotation signs with both secrets, and a second one ends the oldest', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const { run, key } = await subscribe(project, receiver.url)
  const signatures = async () => {
    await happen(project, 'a')
    await run()
    return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length
  }
  expect(await signatures()).toBe(1)
  const { previous_expires_at } = await rotateSubscriptionSecret(project.ctx, {
    ...key,
    overlap_seconds: 600,
  })
  expect(Date.parse(previous_expires_at) - world.clock.now().getTime()).toBe(600_000)
  expect(await signatures()).toBe(2)
  await rotateSubscriptionSecret(project.ctx, { ...key, overlap_seconds: 600 })
  expect(await signatures()).toBe(2)
  world.clock.advance(601_000)
  expect(await signatures()).toBe(1)
  await rotateSubscriptionSecret(project.ctx, { ...key, overlap_seconds: 0 })
  expect(await signatures()).toBe(1)
})

test('headers of its own are sent, and never shown', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const { key, run } = await subscribe(project, receiver.url)
  const headers = { Authorization: 'Bearer hidden', 'X-Team': 'core' }
  const shown = await updateSubscription(project.ctx, { ...key, headers })
  expect(shown.header_names).toEqual(['Authorization', 'X-Team'])
  expect(JSON.stringify(shown)).not.toContain('hidden')
  await happen(project, 'a')
  await run()
  expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer hidden', 'x-team': 'core' })
})

test('a trial arrives at one subscription alone, whatever it asks for', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const [one, other] = [await subscribe(project, receiver.url), await subscribe(project, receiver.url)]
  const { event_id } = await pingSubscription(project.ctx, one.key)
  await one.run()
  await other.run()
  expect(receiver.received.map(({ event }) => [event.id, event.type])).toEqual([[event_id, 'ping']])
})

test('one event or delivery is replayed, also from before the subscription', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const [early] = await happen(project, 'early')
  const { key, run, page } = await subscribe(project, receiver.url)
  expect(await replayEvents(project.ctx, { ...key, event_id: early })).toEqual({ deliveries: 1 })
  expect(await replayEvents(project.ctx, { ...key, event_id: early })).toEqual({ deliveries: 0 })
  await run()
  const [delivery] = await page()
  expect(await replayEvents(project.ctx, { ...key, delivery_id: delivery?.delivery_id })).toEqual({
    deliveries: 1,
  })
  await run()
  expect(receiver.received.map(({ headers }) => [headers['webhook-id'], headers['svc-replay']])).toEqual([
    [early, undefined],
    [early, '1'],
  ])
  await expect(replayEvents(project.ctx, { ...key, event_id: 'evt_x' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('what may not be subscribed is refused by name', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  const of = (more: object) =>
    createSubscription(project.ctx, { project_id, url: 'https://example.com', types: ['*'], ...more })
  await expect(of({ types: ['nothing.*'] })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(of({ headers: { Host: 'x' } })).rejects.toMatchObject({
    details: { issues: [{ path: 'headers.Host' }] },
  })
  for (const url of ['https://a:b@example.com', 'https://example.com/#x', 'no address'])
    await expect(of({ url })).rejects.toMatchObject({ code: 'invalid_request' })
  for (const url of [
    'https://10.0.0.1/x',
    'http://93.184.215.14/',
    'http://nowhere.invalid/',
    'ftp://example.com/',
    'https://[fd00::1]/',
  ])
    await expect(of({ url }), url).rejects.toMatchObject({ code: 'address_not_allowed' })
  expect(await of({ url: 'https://nowhere.invalid/' })).toMatchObject({ status: 'enabled' })
})

test('each belongs to its place, for those who may', async () => {
  const project = await makeProject(world)
  const { project_id, account_id } = project
  const { key } = await subscribe(project, 'http://127.0.0.1:9/')
  const member = world.as((await addMember(world, project, 'viewer')).principal)
  await expect(
    createSubscription(member, { project_id, url: 'http://127.0.0.1:9/', types: ['*'] }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listSubscriptions(member, { account_id })).rejects.toMatchObject({ code: 'forbidden' })
  const other = await makeProject(world)
  await expect(
    getSubscription(other.ctx, { project_id: other.project_id, subscription_id: key.subscription_id }),
  ).rejects.toMatchObject({ code: 'not_found' })
  const { subscriptions } = await listSubscriptions(project.ctx, { account_id })
  expect(subscriptions).toMatchObject([{ project_id, subscription_id: key.subscription_id }])
  await deleteSubscription(project.ctx, key)
  await expect(getSubscription(project.ctx, key)).rejects.toMatchObject({ code: 'not_found' })
})

test('what is older than what is kept is said to be gone', async () => {
  const project = await makeProject(world)
  const { project_id } = project
  await happen(project, 'a', 'b', 'c')
  await worker.publish(project.account_id)
  await world.db
    .deleteFrom('platform_events')
    .where('account_id', '=', project.account_id)
    .where('seq', '<', 3)
    .execute()
  await expect(listEvents(project.ctx, { project_id, after: 1, limit: 10 })).rejects.toMatchObject({
    code: 'events_expired',
    details: { first_sequence: 3 },
  })
  const { events } = await listEvents(project.ctx, { project_id, after: 2, limit: 10, types: ['trigger.*'] })
  expect(events[0]?.sequence).toBe(3)
})

test('a time of thousands of events is replayed at once, without trials of others', async () => {
  const project = await makeProject(world)
  const { account_id, project_id } = project
  const { key } = await subscribe(project, 'http://127.0.0.1:9/')
  await pingSubscription(project.ctx, key)
  await sql`select record_platform_event(${account_id}, ${project_id}, null, 'trigger.fired', '{}')
    from generate_series(1, 6100)`.execute(world.db)
  await updateSubscription(project.ctx, { ...key, types: ['cr.*'] })
  await worker.publish(account_id)
  await updateSubscription(project.ctx, { ...key, types: ['*'] })
  const window = { since: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
  expect(await replayEvents(project.ctx, { ...key, ...window, states: ['failed'] })).toEqual({
    deliveries: 0,
  })
  expect(await replayEvents(project.ctx, { ...key, ...window })).toEqual({ deliveries: 6100 })
})
