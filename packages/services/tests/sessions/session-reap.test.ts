import { sessionEvents } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import {
  checkSandbox,
  deliverPrompts,
  promptSession,
  reportTurnStream,
  startSession,
  stopAllSandboxes,
  stopSession,
  sweepUndelivered,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { ctx } = project
const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
/** An address where no daemon answers. */
const deaf = 'http://127.0.0.1:1'
beforeEach(() => {
  world.queue.drop()
  world.daemon.prompts.splice(0)
  world.daemon.prompt_status = 202
})

async function busySession(): Promise<TestSession & { prompt_id: string }> {
  const session = await runningSession(world, project)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'work' })
  await world.queue.drain()
  const daemon = await session.daemon()
  await reportTurnStream(daemon, { ...session.key, kind: 'turn_begin', prompt_id })
  await reportTurnStream(daemon, { ...session.key, kind: 'execution_heartbeat', lease_ttl_seconds: 120 })
  return { ...session, prompt_id }
}
const setEndpoint = (session: TestSession, endpoint: string) =>
  world.db
    .updateTable('session_sandboxes')
    .set({ endpoint })
    .where('session_id', '=', session.session_id)
    .execute()
const stateOf = async (prompt_id: string) =>
  (
    await world.db
      .selectFrom('session_prompts')
      .select('state')
      .where('prompt_id', '=', prompt_id)
      .executeTakeFirstOrThrow()
  ).state

test('invariant 7: a busy session is left alone and its provider told; a dead one is reaped within two lease periods', async () => {
  const session = await busySession()
  const { external_id } = await session.row()
  const touches = () => world.provider.sandboxes.get(external_id ?? '')?.touches ?? 0
  await checkSandbox(world.worker(), session.key)
  expect(touches()).toBe(1)

  // The daemon hangs: its process is there, its provider sees it, it answers nothing.
  await setEndpoint(session, deaf)
  world.clock.advance(120_000 + 30_000)
  await checkSandbox(world.worker(), session.key)
  expect((await session.row()).status).toBe('running')
  expect(touches()).toBe(1)
  world.clock.advance(31_000)
  expect(world.clock.now().getTime()).toBeLessThan(Date.parse('2026-03-01T10:00:00Z') + 2 * 120_000)
  await checkSandbox(world.worker(), session.key)
  expect(await session.row()).toMatchObject({
    status: 'stopped',
    stop_reason: 'sandbox_exited',
    failure: {
      category: 'timeout',
      message: expect.stringContaining('in the middle of its work'),
      retryable: true,
    },
    runtime_status: 'stopped',
  })
  expect(world.provider.sandboxes.get(external_id ?? '')?.running).toBe(false)
  expect(await stateOf(session.prompt_id)).toBe('failed')
})

test('an outage of the platform reaps nobody: a sandbox that answers is alive, and unknown is not dead', async () => {
  const session = await busySession()
  world.clock.advance(60 * 60_000)
  await checkSandbox(world.worker(), session.key)
  expect((await session.row()).status).toBe('running')
  await setEndpoint(session, deaf)
  const unknown = { ...world.provider, status: async () => 'unknown' as const }
  await checkSandbox(world.worker({ provider: unknown }), session.key)
  expect((await session.row()).status).toBe('running')
})

test('a sandbox that takes no prompts is ended after a while, started again, and gets them', async () => {
  const session = await runningSession(world, project)
  await setEndpoint(session, deaf)
  const { prompt_id } = await promptSession(ctx, { ...session.key, text: 'hello?' })
  await expect(deliverPrompts(world.worker(), session.key)).rejects.toThrow()
  await checkSandbox(world.worker(), session.key)
  expect((await session.row()).status).toBe('running')
  world.clock.advance(61_000)
  world.queue.drop()
  await checkSandbox(world.worker(), session.key)
  expect(await session.row()).toMatchObject({ status: 'stopped', failure: { category: 'timeout' } })
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(world.daemon.prompts).toMatchObject([{ prompt_id, text: 'hello?' }])
})

test('a crash wakes the session for what it is owed, and not for ever', async () => {
  const session = await runningSession(world, project)
  await promptSession(ctx, { ...session.key, text: 'owed' })
  await world.queue.drain()
  for (let round = 0; round < 3; round += 1) {
    world.provider.crash((await session.row()).external_id ?? '')
    world.clock.advance(1_000)
    await checkSandbox(world.worker(), session.key)
    await world.queue.drain()
    expect((await session.row()).status).toBe('running')
  }
  world.provider.crash((await session.row()).external_id ?? '')
  await checkSandbox(world.worker(), session.key)
  await world.queue.drain()
  expect((await session.row()).status).toBe('stopped')
  world.clock.advance(60_000)
  expect(await sweepUndelivered(world.base)).toBe(0)
  // A start by a caller begins the count anew.
  await startSession(hurried, session.key)
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
})

test('a platform that was shut down goes on with what it had accepted; what a person stopped stays stopped', async () => {
  const interrupted = await runningSession(world, project)
  const stopped = await runningSession(world, project)
  world.daemon.prompt_status = 503
  for (const { key } of [interrupted, stopped]) await promptSession(ctx, { ...key, text: 'owed' })
  world.queue.drop()
  await stopSession(hurried, stopped.key)
  await stopAllSandboxes(world.worker())
  expect((await interrupted.row()).stop_reason).toBe('platform_shutdown')
  world.daemon.prompt_status = 202
  world.queue.drop()
  world.clock.advance(5_000)
  await sweepUndelivered(world.base)
  await world.queue.drain()
  expect((await interrupted.row()).status).toBe('running')
  expect((await stopped.row()).status).toBe('stopped')
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual(['owed'])
})

test('in the log time does not run backwards, and nobody changes what is in it', async () => {
  const session = await runningSession(world, project)
  const event = (event_id: string, at: string) => ({
    event_id,
    type: 'file' as const,
    at,
    payload: { path: event_id },
  })
  await reportTurnStream(await session.daemon(), {
    ...session.key,
    kind: 'events',
    events: [event('future', '2099-01-01T00:00:00Z'), event('past', '2001-01-01T00:00:00Z')],
  })
  const rows = await sessionEvents.listAfter(world.db, session.session_id, 0, 50)
  const times = rows.map(({ at }) => at.getTime())
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.at(-1)).toBeLessThanOrEqual(world.clock.now().getTime())
  await expect(
    world.db
      .updateTable('session_events')
      .set({ type: 'x' })
      .where('session_id', '=', session.session_id)
      .execute(),
  ).rejects.toThrow('never changes')
})
