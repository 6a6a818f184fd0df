import { randomUUID } from 'node:crypto'
import { triggerDeliveries, triggerFires } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  fireNextDue,
  fireTrigger,
  listTriggerFires,
  replayTriggerFire,
  startTriggerScheduler,
  sweepTriggerHistory,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import { declare, deliver, fireAll, ledger, projectWith, promptsOf } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 500 })
const hour = 3_600_000
const day = 24 * hour
beforeEach(async () => {
  await world.db.deleteFrom('project_triggers').execute()
})
const tick = (prompt: string, more = '') =>
  `  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: '${prompt}'${more} }\n`
const hook = "  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: 'did {{ body.action }}' }\n"
const replay = (of: TestProject, slug: string, fire_id: string | undefined, ctx = of.ctx) =>
  replayTriggerFire(ctx, { project_id: of.project_id, slug, fire_id: fire_id ?? '' })

test('a missed and a failed slot fire again, with the trigger as it is now, as rows that name them', async () => {
  const project = await projectWith(world, tick('old', ', model: acme/great'))
  const settings = { ...world.base.settings, offered_models: [] }
  world.clock.advance(2 * hour)
  while (await fireNextDue({ ...world.base, settings }, { catch_up_ms: hour }));
  const before = await ledger(world, project, 'tick')
  expect(before.map((fire) => fire.status).sort()).toEqual(['failed', 'missed'])
  await declare(world, project, tick('new'))
  for (const { fire_id, scheduled_at } of before) {
    expect(await replay(project, 'tick', fire_id)).toMatchObject({ status: 'fired' })
    expect(await ledger(world, project, 'tick')).toContainEqual(
      expect.objectContaining({
        type: 'cron',
        status: 'fired',
        scheduled_at,
        replay_of: fire_id,
        actor: project.owner.user_id,
      }),
    )
  }
  expect(await promptsOf(world, project)).toEqual(['new', 'new'])
  // A fire that is repeated stays as it was, and can be repeated again.
  expect(await triggerFires.find(world.db, before[0]?.fire_id ?? '')).toEqual(before[0])
  expect(await replay(project, 'tick', before[0]?.fire_id)).toMatchObject({ status: 'fired' })
  const { fires } = await listTriggerFires(project.ctx, {
    project_id: project.project_id,
    slug: 'tick',
    limit: 9,
  })
  expect(fires.filter((fire) => fire.replay_of !== null)).toHaveLength(3)
})

test('a delivery is fired again from its bytes, a fire by hand word for word', async () => {
  const project = await projectWith(world, hook + tick('say {{ message.text }}'))
  await deliver(world, project, { action: 'opened' })
  await fireAll(world)
  const [came] = await ledger(world, project, 'hook')
  expect(await replay(project, 'hook', came?.fire_id)).toMatchObject({ status: 'fired' })
  const rows = await ledger(world, project, 'hook')
  expect(new Set(rows.map(({ replay_of }) => replay_of))).toEqual(new Set([null, came?.fire_id]))
  await fireTrigger(project.ctx, { project_id: project.project_id, slug: 'tick', text: 'hello' })
  const [said] = await ledger(world, project, 'tick')
  await declare(world, project, hook + tick('something else'))
  expect(await replay(project, 'tick', said?.fire_id)).toMatchObject({ status: 'fired' })
  expect((await promptsOf(world, project)).map((text) => text.replace(/^Values[^]*\n\n/, ''))).toEqual([
    'did opened',
    'did opened',
    'say hello',
    'say hello',
  ])
})

test('what cannot be fired again says why', async () => {
  const project = await projectWith(world, hook + tick('x'))
  const other = await projectWith(world, hook + tick('x'))
  await deliver(world, project, {})
  const [pending] = await ledger(world, project, 'hook')
  expect(await endOf(replay(project, 'hook', pending?.fire_id))).toBe('conflict')
  await fireAll(world)
  const fire_id = pending?.fire_id
  expect(await endOf(replay(project, 'tick', fire_id))).toBe('not_found')
  expect(await endOf(replay(other, 'hook', fire_id))).toBe('not_found')
  expect(await endOf(replay(project, 'hook', randomUUID()))).toBe('not_found')
  const viewer = world.as((await addMember(world, project, 'viewer')).principal)
  expect(await endOf(replay(project, 'hook', fire_id, viewer))).toBe('forbidden')
  await declare(world, project, tick('x'))
  expect(await endOf(replay(project, 'hook', fire_id))).toBe('not_found')
})

test('the ledger and deliveries are kept as long as they are set to be; what is owed stays', async () => {
  const project = await projectWith(world, hook + tick('x'))
  const kept = { fires_ms: 10 * day, deliveries_ms: 5 * day }
  await deliver(world, project, { n: 1 }, { headers: { 'X-Svc-Delivery': 'a' } })
  await fireAll(world)
  await deliver(world, project, { n: 2 }, { headers: { 'X-Svc-Delivery': 'b' } })
  const count = async () => ({
    fires: (await ledger(world, project, 'hook')).map((fire) => fire.delivery_id).sort(),
    deliveries: (
      await triggerDeliveries.list(world.db, { ...project, slug: 'hook', limit: 9, body_bytes: 0 })
    ).length,
  })
  world.clock.advance(5 * day)
  await sweepTriggerHistory(world.base, kept)
  expect(await count()).toEqual({ fires: ['a', 'b'], deliveries: 2 })
  world.clock.advance(1)
  await sweepTriggerHistory(world.base, kept)
  // The second one's session is still owed: it keeps its delivery.
  expect(await count()).toEqual({ fires: ['a', 'b'], deliveries: 1 })
  world.clock.advance(5 * day)
  await sweepTriggerHistory(world.base, kept)
  expect(await count()).toEqual({ fires: ['b'], deliveries: 1 })
  await fireAll(world)
  await sweepTriggerHistory(world.base, kept)
  expect(await count()).toEqual({ fires: [], deliveries: 0 })
  const keys = await world.db
    .selectFrom('trigger_delivery_keys')
    .selectAll()
    .where('project_id', '=', project.project_id)
    .execute()
  expect(keys).toEqual([])
})

test('the lag is how late the oldest due row is', async () => {
  await fireAll(world)
  await projectWith(world, tick('x'))
  const scheduler = startTriggerScheduler(
    { ...world.base, db: world.db },
    { interval_ms: 3_600_000, catch_up_ms: hour, workers: 0 },
  )
  world.clock.advance(hour - (world.clock.now().getTime() % hour))
  expect(await scheduler.lag()).toBe(0)
  world.clock.advance(90_000)
  expect(await scheduler.lag()).toBe(90_000)
  await fireAll(world)
  expect(await scheduler.lag()).toBe(0)
  await scheduler.close()
})
