import { setTimeout as pause } from 'node:timers/promises'
import { platformEvents } from '@svc/db'
import { deliverEvents } from '@svc/events/worker'
import { addMember, makeProject, openWorld } from '@svc/services/testing'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import {
  createSubscription,
  deleteSubscription,
  getDelivery,
  getSubscription,
  listDeliveries,
  listEvents,
  listSubscriptions,
  pingSubscription,
  replayEvents,
  rotateSubscriptionSecret,
  updateSubscription,
} from '../src/index.ts'
import { eventWorker, startReceiver } from './support.ts'

const world = await openWorld({ outbound_addresses: ['127.0.0.0/8'] })
const worker = eventWorker(world)

type Project = Awaited<ReturnType<typeof makeProject>>
const trigger = { type: null, fire_id: null, session_id: null, reason: null }

/** Events as a change would leave them, without the change. */
async function happen({ account_id, project_id }: Project, ...slugs: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const slug of slugs)
    ids.push(
      await platformEvents.record(world.db, {
        ...{ account_id, project_id, type: 'trigger.fired', data: { ...trigger, slug } },
      }),
    )
  return ids
}

async function subscribe(project: Project, url: string, more: { ordering?: 'none' | 'strict' } = {}) {
  const { project_id } = project
  await worker.publish(project.account_id)
  const made = await createSubscription(project.ctx, { project_id, url, types: ['trigger.*'], ...more })
  const { subscription_id, secret } = made
  const key = { project_id, subscription_id }
  const run = async () => {
    await worker.publish(project.account_id)
    return deliverEvents(worker.ctx, { subscription_id })
  }
  const page = async () => (await listDeliveries(project.ctx, { ...key, limit: 100 })).deliveries
  return { key, secret, run, page, subscription_id }
}

test('an event arrives once, signed, with its place in the sequence', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const { secret, run, page, key } = await subscribe(project, receiver.url)
  const [id] = await happen(project, 'nightly')
  expect(await run()).toBe(1)
  expect(await run()).toBe(0)
  const [got] = receiver.received
  expect(receiver.received).toHaveLength(1)
  const headers = Object.fromEntries(
    Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  )
  // The receiver's clock is real, and that of this world is not.
  const now = Date.now
  Date.now = () => world.clock.now().getTime()
  try {
    expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual(got?.event)
  } finally {
    Date.now = now
  }
  const { events, last_sequence } = await listEvents(project.ctx, {
    project_id: project.project_id,
    after: 0,
    limit: 100,
  })
  expect(got?.event).toEqual(events.at(-1))
  expect(got?.event).toMatchObject({ id, type: 'trigger.fired', sequence: last_sequence })
  expect(headers).toMatchObject({ 'webhook-id': id, 'svc-attempt': '1', 'user-agent': 'svc-events/1' })
  expect(headers).not.toHaveProperty('svc-replay')
  const [delivery] = await page()
  expect(delivery).toMatchObject({ event_id: id, state: 'delivered', attempts: 1, last_status: 200 })
  const { tries } = await getDelivery(project.ctx, { ...key, delivery_id: delivery?.delivery_id ?? '' })
  expect(tries).toMatchObject([{ number: 1, status: 200, error: null, answer: 'answer 0' }])
})

test('sequences have no gap, whatever is written at once and however many publish', async () => {
  const project = await makeProject(world)
  await Promise.all(Array.from({ length: 40 }, (_, n) => happen(project, `t${n}`)))
  await Promise.all(Array.from({ length: 6 }, () => worker.publish(project.account_id)))
  const { events, last_sequence } = await listEvents(project.ctx, {
    account_id: project.account_id,
    after: 0,
    limit: 500,
  })
  expect(events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: last_sequence }, (_, n) => n + 1),
  )
  expect(new Set(events.map(({ id }) => id)).size).toBe(last_sequence)
})

test('a receiver that fails is asked again, later each time, and then no more', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver(() => 500)
  const { run, page, subscription_id } = await subscribe(project, receiver.url)
  await happen(project, 'a')
  await run()
  expect(await page()).toMatchObject([
    { state: 'failed', attempts: 1, last_status: 500, last_error: 'refused' },
  ])
  expect(await run()).toBe(0)
  expect(await worker.sweep()).not.toContain(subscription_id)
  world.clock.advance(6_000)
  expect(await worker.sweep()).toContain(subscription_id)
  expect(await run()).toBe(1)
  world.clock.advance(70_000)
  expect(await run()).toBe(1)
  expect(await page()).toMatchObject([{ state: 'exhausted', attempts: 3 }])
  expect(receiver.received.map(({ headers }) => headers['svc-attempt'])).toEqual(['1', '2', '3'])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('Retry-After delays the next try', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver(() => 503, { 'retry-after': '120' })
  const { run, page } = await subscribe(project, receiver.url)
  await happen(project, 'a')
  await run()
  const [delivery] = await page()
  expect(Date.parse(delivery?.next_at ?? '') - world.clock.now().getTime()).toBe(120_000)
})

test('a redirect is not followed, and a broken connection is no delivery', async () => {
  const project = await makeProject(world)
  const target = await startReceiver()
  const receiver = await startReceiver((_, index) => (index === 0 ? 302 : 0), { location: target.url })
  const { run, page } = await subscribe(project, receiver.url)
  await happen(project, 'a')
  await run()
  expect(await page()).toMatchObject([{ last_status: 302, last_error: 'redirect' }])
  world.clock.advance(6_000)
  await run()
  expect(await page()).toMatchObject([{ state: 'failed', last_status: null }])
  expect(target.received).toEqual([])
})

test('deliveries in a row that come to nothing disable a subscription; enabling and a replay fill the gap', async () => {
  const project = await makeProject(world)
  let status = 500
  const receiver = await startReceiver(() => status)
  const { run, page, key } = await subscribe(project, receiver.url)
  const began = world.clock.now()
  await happen(project, 'a', 'b', 'c')
  for (const ms of [0, 6_000, 70_000]) {
    world.clock.advance(ms)
    await run()
  }
  expect(await getSubscription(project.ctx, key)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'too_many_failures',
  })
  await happen(project, 'd')
  await run()
  expect((await page()).map(({ state }) => state).sort()).not.toContain('pending')
  await expect(replayEvents(project.ctx, { ...key })).rejects.toMatchObject({ code: 'conflict' })
  status = 200
  receiver.received.splice(0)
  await updateSubscription(project.ctx, { ...key, status: 'enabled' })
  expect(await getSubscription(project.ctx, key)).toMatchObject({ status: 'enabled', exhausted_in_a_row: 0 })
  // Rows of events have the clock of the database, whatever that of this world says.
  const window = { since: new Date(Math.min(began.getTime(), Date.now() - 3_600_000)).toISOString() }
  const until = new Date(Date.now() + 3_600_000).toISOString()
  expect(await replayEvents(project.ctx, { ...key, ...window, until })).toEqual({ deliveries: 4 })
  expect(await replayEvents(project.ctx, { ...key, ...window, until })).toEqual({ deliveries: 0 })
  await run()
  const slugs = receiver.received.map(({ event }) => Object(event.data)['slug'])
  expect(slugs.sort()).toEqual(['a', 'b', 'c', 'd'])
  expect(
    receiver.received.every(({ headers }) => 'svc-replay' in headers || headers['svc-attempt'] === '1'),
  ).toBe(true)
})

test('410 ends a subscription at once', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver(() => 410)
  const { run, page, key } = await subscribe(project, receiver.url, { ordering: 'strict' })
  await happen(project, 'a', 'b')
  await run()
  expect(await getSubscription(project.ctx, key)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'gone',
  })
  expect(receiver.received).toHaveLength(1)
  expect((await page()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  const audit = await world.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('account_id', '=', project.account_id)
    .where('action', '=', 'disableEventSubscription')
    .execute()
  expect(audit).toMatchObject([{ details: { reason: 'gone' } }])
})

test('strict: in order, and one that fails holds the rest', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver((_, index) => (index === 1 ? 500 : 200))
  const { run } = await subscribe(project, receiver.url, { ordering: 'strict' })
  await happen(project, 'a', 'b', 'c')
  expect(await run()).toBe(2)
  world.clock.advance(6_000)
  expect(await run()).toBe(2)
  expect(receiver.received.map(({ event }) => Object(event.data)['slug'])).toEqual(['a', 'b', 'b', 'c'])
})

test('no more than eight are sent at once, by however many workers', async () => {
  const project = await makeProject(world)
  let [now, most] = [0, 0]
  const receiver = await startReceiver(async () => {
    now += 1
    most = Math.max(most, now)
    await pause(20)
    now -= 1
    return 200
  })
  const { subscription_id } = await subscribe(project, receiver.url)
  await happen(project, ...Array.from({ length: 60 }, (_, n) => `t${n}`))
  await worker.publish(project.account_id)
  await Promise.all(Array.from({ length: 4 }, () => deliverEvents(worker.ctx, { subscription_id })))
  expect(receiver.received).toHaveLength(60)
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(60)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
})

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

test('a worker that died after the answer leaves the delivery to the next, under the same id', async () => {
  const project = await makeProject(world)
  const receiver = await startReceiver()
  const { run, page, subscription_id } = await subscribe(project, receiver.url)
  const [id] = await happen(project, 'a')
  await worker.publish(project.account_id)
  // As after a kill between the answer and the row.
  await world.db
    .updateTable('event_deliveries')
    .set({
      state: 'sending',
      attempts: 1,
      next_at: null,
      lease_until: new Date(world.clock.now().getTime() + 30_000),
    })
    .where('subscription_id', '=', subscription_id)
    .execute()
  expect(await run()).toBe(0)
  world.clock.advance(30_001)
  expect(await worker.sweep()).toContain(subscription_id)
  expect(await run()).toBe(1)
  expect(receiver.received.map(({ headers }) => [headers['webhook-id'], headers['svc-attempt']])).toEqual([
    [id, '2'],
  ])
  expect(await page()).toMatchObject([{ state: 'delivered', attempts: 2 }])
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
    'ftp://example.com/',
    'https://[fd00::1]/',
  ])
    await expect(of({ url }), url).rejects.toMatchObject({ code: 'address_not_allowed' })
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
