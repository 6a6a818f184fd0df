import { setTimeout as pause } from 'node:timers/promises'
import { deliverEvents } from '@svc/events/worker'
import { countInbox, getInbox } from '@svc/services'
import { makeProject, openWorld, type TestProject } from '@svc/services/testing'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { getDelivery, getSubscription, listEvents, replayEvents, updateSubscription } from '../src/index.ts'
import { eventWorker, happen as happenIn, startReceiver, subscribe as subscribeWith } from './support.ts'

const world = await openWorld({ outbound_addresses: ['127.0.0.0/8'] })
const worker = await eventWorker(world)
const happen = (project: TestProject, ...slugs: readonly string[]) => happenIn(world, project, ...slugs)
const subscribe = (project: TestProject, url: string, more = {}) => subscribeWith(worker, project, url, more)

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
  const { items } = await getInbox(project.ctx, { limit: 10 })
  expect(items).toMatchObject([{ kind: 'notice', item_id: `notice:${key.subscription_id}` }])
  expect((await countInbox(project.ctx)).by_kind.notice).toBe(1)
  await happen(project, 'd')
  await run()
  expect((await page()).map(({ state }) => state).sort()).not.toContain('pending')
  await expect(replayEvents(project.ctx, { ...key })).rejects.toMatchObject({ code: 'conflict' })
  status = 200
  receiver.received.splice(0)
  await updateSubscription(project.ctx, { ...key, status: 'enabled' })
  expect(await getSubscription(project.ctx, key)).toMatchObject({ status: 'enabled', exhausted_in_a_row: 0 })
  expect((await getInbox(project.ctx, { limit: 10 })).items).toEqual([])
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
