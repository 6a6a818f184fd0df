import { accounts, machines, sandboxes, sessions } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  admitWaitingSessions,
  createSession,
  evictSandbox,
  promptSession,
  provisionSandbox,
  sweepAbandoned,
  sweepEvictions,
  sweepUndelivered,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { fireAll, ledger, projectWith } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { db, clock, queue } = world

const see = (machine: string) => machines.see(db, { machine, provider: 'memory', seen_at: clock.now() })
const drain = (drain_until: Date | null = null) =>
  machines.setState(db, 'here', { state: 'draining', drain_until })
beforeEach(async () => {
  await see('here')
  await machines.setState(db, 'here', { state: 'open', drain_until: null })
})

test('idle sandboxes of a machine that drains end at once, busy ones after their turn or at the deadline', async () => {
  const [idle, busy, owed] = [
    await newSession(world, project),
    await newSession(world, project),
    await newSession(world, project),
  ]
  await queue.drain()
  for (const { session_id } of [idle, busy, owed])
    await sandboxes.patch(db, session_id, { lease_expires_at: null, updated_at: clock.now() })
  const lease_expires_at = new Date(clock.now().getTime() + 60_000)
  await sandboxes.patch(db, busy.session_id, { lease_expires_at, updated_at: clock.now() })
  expect(await sweepEvictions(world.base)).toBe(0)
  await drain()
  await sweepEvictions(world.base)
  await queue.drain()
  expect(await idle.row()).toMatchObject({ status: 'stopped', stop_reason: 'operator' })
  expect((await busy.row()).status).toBe('running')
  // Its turn begins between the sweep and the worker.
  await sandboxes.patch(db, owed.session_id, { lease_expires_at, updated_at: clock.now() })
  await evictSandbox(world.worker(), owed)
  await drain(clock.now())
  await sweepEvictions(world.base)
  await queue.drain()
  expect(await busy.row()).toMatchObject({ status: 'stopped', stop_reason: 'operator' })
  const [shown] = await machines.list(db, clock.now(), 'here')
  expect(shown).toMatchObject({ state: 'drained', sandboxes: { active: 0 } })
})

test('a new session waits for a machine that is open, however long, and never fails for it', async () => {
  await drain()
  const session = await newSession(world, project)
  for (let minute = 0; minute < 90; minute += 30) {
    clock.advance(30 * 60_000)
    const asked = queue.drop()
    expect(asked).toEqual([{ name: 'sandbox.provision', id: session.session_id }])
    await provisionSandbox(world.worker(), session)
    expect(await sweepAbandoned(world.base)).toBe(0)
  }
  expect((await session.row()).status).toBe('provisioning')
  await provisionSandbox(world.worker({ machine: 'there' }), session)
  expect((await session.row()).status).toBe('running')
  queue.drop()
})

test('a suspended account starts nothing: fires are missed, creates wait, prompts stay', async () => {
  const mine = await projectWith(world, `  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: x }\n`)
  const session = await newSession(world, mine)
  await queue.drain()
  const { account_id } = await accountOf(mine.project_id)
  const waiting = { project_id: mine.project_id, respond_async: true, body: {} }
  await accounts.update(db, account_id, { limit_live_sessions: 1 })
  const queued = await createSession(mine.ctx, waiting)
  expect(queued).toMatchObject({ kind: 'queued', reason: 'session_limit' })
  await accounts.update(db, account_id, {
    ...{ limit_live_sessions: null, suspended_at: clock.now(), suspended_reason: 'Unpaid' },
  })
  await sweepEvictions(world.base)
  await queue.drain()
  expect(await session.row()).toMatchObject({ status: 'stopped', stop_reason: 'operator' })
  const prompt = promptSession(mine.ctx, { ...session.key, text: 'Go on' })
  await expect(prompt).rejects.toMatchObject({
    code: 'account_suspended',
    message: expect.stringContaining('Unpaid'),
  })
  expect(await admitWaitingSessions(world.base)).toBe(0)
  clock.advance(3_600_000)
  await fireAll(world)
  expect(await ledger(world, mine, 'tick')).toMatchObject([{ status: 'missed', reason: 'account_suspended' }])
  await sweepUndelivered(world.base)
  await queue.drain()
  expect((await session.row()).status).toBe('stopped')
  await accounts.update(db, account_id, { suspended_at: null, suspended_reason: null })
  expect(await admitWaitingSessions(world.base)).toBe(1)
  expect(await sessions.findById(db, queued.kind === 'queued' ? queued.session_id : '')).toBeDefined()
  await promptSession(mine.ctx, { ...session.key, text: 'Go on' })
  await queue.drain()
  expect((await session.row()).status).toBe('running')
})

async function accountOf(project_id: string): Promise<{ readonly account_id: string }> {
  return db
    .selectFrom('projects')
    .select('account_id')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
}
