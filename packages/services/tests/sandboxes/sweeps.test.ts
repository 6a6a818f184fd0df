import { merges, sandboxes } from '@svc/db'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  deleteSession,
  hibernateSandbox,
  mergeChangeRequest,
  promptSession,
  reportTurnStream,
  startSession,
  stopSession,
  sweepAbandoned,
  sweepIdleSandboxes,
  sweepOwedWork,
  sweepRunning,
  sweepUndelivered,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({
  idle_after_seconds: 600,
  trigger_idle_after_seconds: 300,
  session_cap: 1000,
})
const project = await makeProject(world)
const { project_id, ctx } = project
// A caller that does not wait: no worker brings an end here.
const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
beforeEach(async () => {
  await world.db.deleteFrom('project_sessions').execute()
  world.queue.drop()
  world.daemon.prompts.splice(0)
})

async function sweepAll(): Promise<void> {
  await sweepOwedWork(world.base)
  await sweepUndelivered(world.base)
  await sweepRunning({ ...world.base, provider: world.provider })
}

/** The jobs that the sweeps after the quiet time ask for, of one session. */
async function owed(session_id: string): Promise<string[]> {
  world.queue.drop()
  world.clock.advance(11_000)
  await sweepAll()
  return world.queue
    .drop()
    .filter((job) => job.id === session_id)
    .map((job) => job.name)
}

test('what was lost is asked for again, until it is done', async () => {
  const session = await newSession(world, project)
  await sweepOwedWork(world.base)
  expect(world.queue.drop().map((job) => job.name)).toEqual(['sandbox.provision'])
  expect(await owed(session.session_id)).toEqual(['sandbox.provision'])
  await world.queue.enqueue('session', 'sandbox.provision', { session_id: session.session_id })
  await world.queue.drain()
  expect(await owed(session.session_id)).toEqual([])

  await promptSession(ctx, { ...session.key, text: 'hello' })
  expect((await owed(session.session_id)).sort()).toEqual(['prompts.deliver'])
  await world.queue.enqueue('session', 'prompts.deliver', { session_id: session.session_id })
  await world.queue.drain()
  expect(await owed(session.session_id)).toEqual([])

  await stopSession(hurried, session.key)
  expect(await owed(session.session_id)).toEqual(['sandbox.stop'])
  await promptSession(ctx, { ...session.key, text: 'again' })
  expect((await session.row()).status).toBe('provisioning')
  await stopSession(hurried, session.key)
  await world.queue.drain()
  // A prompt from before the stop waits for a start.
  expect(await owed(session.session_id)).toEqual([])
  await startSession(hurried, session.key)
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual(['hello', 'again'])

  await deleteSession(ctx, session.key)
  expect(await owed(session.session_id)).toEqual(['sandbox.destroy'])
  await world.queue.enqueue('session', 'sandbox.destroy', { session_id: session.session_id })
  await world.queue.drain()
  expect(await owed(session.session_id)).toEqual([])
})

test('a merge whose job was lost is merged after the next sweep', async () => {
  const cr = await project.propose('lost')
  await expect(mergeChangeRequest(hurried, { project_id, cr: cr.cr_id })).rejects.toMatchObject({
    code: 'request_deadline',
  })
  const [lost] = world.queue.drop()
  await sweepOwedWork(world.base)
  expect(world.queue.drop()).toEqual([])
  world.clock.advance(11_000)
  await sweepOwedWork(world.base)
  await world.queue.drain()
  expect(await merges.findAttempt(world.db, lost?.id ?? '')).toMatchObject({ status: 'merged' })
})

test('much work of one kind does not keep the others waiting', async () => {
  const session = await runningSession(world, project)
  await promptSession(ctx, { ...session.key, text: 'hello' })
  world.queue.drop()
  const row = await session.row()
  const { sandbox_provider, external_id, runtime_session_id, runtime_status, ...rest } = row
  const { sandbox_error, sandbox_revision, harness, harness_version, ...columns } = rest
  const ofSandbox = [sandbox_provider, runtime_session_id, runtime_status, sandbox_error, sandbox_revision]
  expect([...ofSandbox, harness, harness_version]).toHaveLength(7)
  const many = Array.from({ length: 600 }, () => world.base.newId())
  await world.db
    .insertInto('project_sessions')
    .values(
      many.map((session_id) => ({
        ...columns,
        session_id,
        branch_name: session_id,
        agent_grant: '[]',
        failure: null,
        metadata: '{}',
        requested: '{}',
        status: 'provisioning' as const,
      })),
    )
    .execute()
  world.clock.advance(11_000)
  await sweepAll()
  const names = world.queue.drop().map((job) => job.name)
  expect(names.filter((name) => name === 'prompts.deliver')).toHaveLength(1)
  expect(names.filter((name) => name === 'sandbox.provision')).toHaveLength(500)
  expect(external_id).not.toBeNull()
})

describe('of the sandboxes that should run, one that ended is seen', () => {
  const looked = async (provider: typeof world.provider) => {
    world.queue.drop()
    await sweepRunning({ ...world.base, provider })
    return world.queue.drop().flatMap((job) => (job.name === 'sandbox.check' ? [job.id] : []))
  }
  const { running: _, ...oneByOne } = world.provider

  test('by one question to a provider that answers for all', async () => {
    const [dead] = [await runningSession(world, project), await runningSession(world, project)]
    expect(await looked(world.provider)).toEqual([])
    world.provider.crash((await dead.sandbox()).external_id ?? '')
    expect(await looked(world.provider)).toEqual([dead.session_id])
    const elsewhere = { ...world.provider, name: 'another', running: async () => new Set<string>() }
    expect(await looked(elsewhere)).toEqual([])
  })

  test('by a look at each where it does not, the longest unseen first and each once in 10 s', async () => {
    const many = [await runningSession(world, project), await runningSession(world, project)]
    const all = many.map(({ session_id }) => session_id).sort()
    expect((await looked(oneByOne)).sort()).toEqual(all)
    world.clock.advance(5_000)
    expect(await looked(oneByOne)).toEqual([])
    world.clock.advance(5_001)
    expect((await looked(oneByOne)).sort()).toEqual(all)
  })

  test('by the silence of its daemon, whatever its provider says', async () => {
    const session = await runningSession(world, project)
    const report = { ...session.key, kind: 'execution_heartbeat' as const, lease_ttl_seconds: 60 }
    await reportTurnStream(await session.daemon(), report)
    world.clock.advance(119_000)
    expect(await looked(world.provider)).toEqual([])
    world.clock.advance(2_000)
    expect(await looked(world.provider)).toEqual([session.session_id])
  })
})

/** Sweeps idle sandboxes, and runs the jobs that the sweep asks for. */
async function idleSweep(): Promise<number> {
  const asked = await sweepIdleSandboxes(world.base)
  await world.queue.drain()
  return asked
}

test('idle sandboxes stop; a lease, and use, protect them', async () => {
  const idle = await runningSession(world, project)
  const leased = await runningSession(world, project)
  const used = await runningSession(world, project)
  const daemon = await leased.daemon()
  const heartbeat = (lease_ttl_seconds: number) =>
    reportTurnStream(daemon, { ...leased.key, kind: 'execution_heartbeat', lease_ttl_seconds })
  await heartbeat(600)
  world.clock.advance(599_000)
  expect(await idleSweep()).toBe(0)
  await reportTurnStream(await used.daemon(), { ...used.key, kind: 'turn_begin' })
  await heartbeat(900)
  world.clock.advance(2000)
  expect(await idleSweep()).toBe(1)
  expect(await idle.row()).toMatchObject({
    status: 'stopped',
    stop_reason: 'idle',
    runtime_status: 'stopped',
  })
  expect((await leased.row()).status).toBe('running')
  expect((await used.row()).status).toBe('running')
  world.clock.advance(598_500)
  // The lease of the busy one runs still, though nothing else happened in it for a while.
  expect(await idleSweep()).toBe(1)
  expect((await used.row()).status).toBe('stopped')
  expect((await leased.row()).status).toBe('running')
  world.clock.advance(300_000)
  expect(await idleSweep()).toBe(1)
  expect((await leased.row()).status).toBe('stopped')
})

test("a trigger's sandbox is idle sooner than a person's", async () => {
  const person = await runningSession(world, project)
  const fired = await runningSession(world, project)
  await world.db
    .updateTable('project_sessions')
    .set({ origin: 'trigger' })
    .where('session_id', '=', fired.session_id)
    .execute()
  world.clock.advance(301_000)
  expect(await idleSweep()).toBe(1)
  expect((await fired.row()).status).toBe('stopped')
  expect((await person.row()).status).toBe('running')
})

test('the idle sweep does nothing to what its provider does not know, and takes some at a time', async () => {
  const session = await runningSession(world, project)
  world.clock.advance(601_000)
  const unknown = { ...world.provider, status: async () => 'unknown' as const }
  await hibernateSandbox(world.worker({ provider: unknown }), session.key)
  await hibernateSandbox(world.worker({ provider: { ...world.provider, name: 'another' } }), session.key)
  expect((await session.row()).status).toBe('running')
  const query = {
    now: world.clock.now(),
    idle_since: world.clock.now(),
    trigger_idle_since: world.clock.now(),
  }
  await runningSession(world, project)
  world.clock.advance(1)
  const later = { ...query, idle_since: world.clock.now() }
  expect(await sandboxes.listIdle(world.db, later, 1)).toEqual([session.session_id])
  expect(await sandboxes.listIdle(world.db, later, 10)).toHaveLength(2)
})

test('a session that becomes busy while the sweep goes on is left alone', async () => {
  const session = await runningSession(world, project)
  world.clock.advance(601_000)
  expect(await sweepIdleSandboxes(world.base)).toBe(1)
  await reportTurnStream(await session.daemon(), {
    ...session.key,
    kind: 'execution_heartbeat',
    lease_ttl_seconds: 60,
  })
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
})

test('no session is on its way up for ever', async () => {
  const session = await newSession(world, project)
  world.queue.drop()
  world.clock.advance(14 * 60_000)
  expect(await sweepAbandoned(world.base)).toBe(0)
  world.clock.advance(2 * 60_000)
  expect(await sweepAbandoned(world.base)).toBe(1)
  expect(await session.row()).toMatchObject({ status: 'failed', failure: { category: 'timeout' } })
})
