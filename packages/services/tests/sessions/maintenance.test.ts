import { maintenance, sessionPrompts } from '@svc/db'
import type { MaintenanceMode } from '@svc/facts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  admitWaitingSessions,
  createSession,
  promptSession,
  restartSession,
  startSession,
  stopSession,
  sweepUndelivered,
} from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { deliver, fireAll, ledger, projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'
import { endOf } from '../support/replica.ts'

const world = await openWorld()
const project = await makeProject(world)
const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })

const enter = async (mode: MaintenanceMode, until: Date | null = null) => {
  const row = { mode, message: null, retry_after_seconds: 60, until, changed_by: null }
  await maintenance.replace(world.db, { ...row, changed_at: world.clock.now() })
  await vi.waitFor(() => expect(world.base.maintenance()).toMatchObject({ mode, until }))
}
afterEach(() => enter('off'))

describe.each(['drain', 'read_only'] as const)('while it is %s', (mode) => {
  test('nothing is created, started or restarted, and a repeated create is answered as before', async () => {
    const { project_id, ctx } = project
    const asked = { project_id, respond_async: false, idempotency_key: `key-${mode}`, body: {} }
    const created = await createSession(ctx, asked)
    const session = await newSession(world, project)
    await stopSession(hurried, session.key)
    await enter(mode)
    expect(await createSession(ctx, asked)).toEqual(created)
    expect(await endOf(newSession(world, project))).toBe('maintenance')
    expect(await endOf(createSession(ctx, { project_id, respond_async: true, body: {} }))).toBe('maintenance')
    expect(await endOf(startSession(ctx, session.key))).toBe('maintenance')
    expect(await endOf(restartSession(ctx, session.key))).toBe('maintenance')
    expect((await session.row()).status).toBe('stopped')
  })

  test('prompts are kept, and reach their session afterwards', async () => {
    const asleep = await newSession(world, project)
    const awake = await newSession(world, project)
    await world.queue.drain()
    await stopSession(hurried, asleep.key)
    await world.queue.drain()
    world.clock.advance(1)
    await enter(mode)
    const states = () =>
      Promise.all(
        [asleep, awake].map(async ({ session_id }) => {
          const prompts = await sessionPrompts.list(world.db, session_id, { after: 0, limit: 10 })
          return prompts.map(({ state }) => state)
        }),
      )
    for (const { key } of [asleep, awake]) await promptSession(project.ctx, { ...key, text: 'Go on' })
    await world.queue.drain()
    world.clock.advance(10_000)
    expect(await sweepUndelivered(world.base)).toBe(0)
    expect(await states()).toEqual([['pending'], ['pending']])
    expect((await asleep.row()).status).toBe('stopped')
    await enter('off')
    await sweepUndelivered(world.base)
    await world.queue.drain()
    await sweepUndelivered(world.base)
    await world.queue.drain()
    expect((await asleep.row()).status).toBe('running')
    expect(await states()).toEqual([['delivered'], ['delivered']])
  })

  test('fires of schedules and webhooks are kept, and open their sessions afterwards', async () => {
    const mine = await projectWith(
      world,
      `  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: x }
  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: x }
`,
    )
    await enter(mode)
    expect(await deliver(world, mine, {})).toEqual({ status: 'queued', reason: 'maintenance' })
    world.clock.advance(3_600_000)
    await fireAll(world)
    const outcomes = async () =>
      [...(await ledger(world, mine, 'hook')), ...(await ledger(world, mine, 'tick'))].map(
        ({ status, reason }) => ({ status, reason }),
      )
    const waits = { status: 'queued', reason: 'maintenance' }
    expect(await outcomes()).toEqual([waits, waits])
    await enter('off')
    world.clock.advance(20_000)
    await fireAll(world)
    const fired = expect.objectContaining({ status: 'fired' })
    expect(await outcomes()).toEqual([fired, fired])
  })
})

test('creates that wait for room wait for the end of the maintenance too', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const live = [await newSession(world, own), await newSession(world, own), await newSession(world, own)]
  await createSession(own.ctx, { project_id: own.project_id, respond_async: true, body: {} })
  const quick = world.as(own.owner.principal, { signal: AbortSignal.abort() })
  for (const { key } of live) await stopSession(quick, key)
  await enter('drain')
  expect(await admitWaitingSessions(world.base)).toBe(0)
  await enter('off')
  expect(await admitWaitingSessions(world.base)).toBe(1)
})

test('it ends by itself at the moment that was said', async () => {
  await enter('read_only', new Date(world.clock.now().getTime() + 60_000))
  world.clock.advance(60_000)
  expect(world.base.maintenance().mode).toBe('off')
  await newSession(world, project)
})
