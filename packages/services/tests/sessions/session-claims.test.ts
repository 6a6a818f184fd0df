import { createDatabase, sandboxes, sessionPrompts, StaleClaim, withClaim } from '@svc/db'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { provisionSandbox, restartSession, startSession, stopSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx } = project
const locks = createDatabase(world.connection_string, { max: 8 })
afterAll(() => locks.destroy())
const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
/** A worker that beats never counts as silent at once. */
const times = { workerSilenceMs: 300, workerBeatMs: 60_000, workerTurnMs: 20_000 }

function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

test('one worker at a time, and the next has a higher fence', async () => {
  const { session_id } = await newSession(world, project)
  const key = { session_id, work: 'sandbox' } as const
  let inside = 0
  await Promise.all(
    Array.from({ length: 6 }, () =>
      withClaim(locks, key, async (claim) => {
        inside += 1
        expect(inside).toBe(1)
        await world.db.transaction().execute((tx) => claim.hold(tx))
        inside -= 1
      }),
    ),
  )
  const { fence } = await world.db
    .selectFrom('session_claims')
    .select('fence')
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  expect(fence).toBe(6)
})

test('a worker that gives no sign of life loses its work, and what it writes later is refused', async () => {
  const { session_id } = await newSession(world, project)
  const key = { session_id, work: 'sandbox' } as const
  const paused = gate()
  const began = gate()
  const stale = withClaim(
    locks,
    key,
    async (claim) => {
      began.open()
      await paused.passed
      await world.db.transaction().execute((tx) => claim.hold(tx))
    },
    times,
  )
  const refused = expect(stale).rejects.toBeInstanceOf(StaleClaim)
  await began.passed
  expect(await withClaim(locks, key, async () => 'mine', times)).toBe('mine')
  paused.open()
  await refused
})

test('a worker that lives keeps its work, and whoever gets no turn gives up', async () => {
  const { session_id } = await newSession(world, project)
  const key = { session_id, work: 'prompts' } as const
  const done = gate()
  const began = gate()
  const beating = { ...times, workerSilenceMs: 10_000, workerBeatMs: 20 }
  const holder = withClaim(
    locks,
    key,
    async (claim) => {
      began.open()
      await done.passed
      await world.db.transaction().execute((tx) => claim.hold(tx))
      return 'kept'
    },
    beating,
  )
  await began.passed
  expect(await withClaim(locks, key, async () => 'taken', { ...beating, workerTurnMs: 300 })).toBe(undefined)
  done.open()
  expect(await holder).toBe('kept')
  await world.db.deleteFrom('project_sessions').where('session_id', '=', session_id).execute()
  expect(await withClaim(locks, key, async () => 'gone', beating)).toBe(undefined)
})

test('a provisioning that was taken over writes nothing any more', async () => {
  const session = await newSession(world, project)
  world.queue.drop()
  const paused = gate()
  const reached = gate()
  const provider = {
    ...world.provider,
    create: async (...args: Parameters<typeof world.provider.create>) => {
      const created = await world.provider.create(...args)
      reached.open()
      await paused.passed
      return { ...created, endpoint: { url: 'http://127.0.0.1:1' } }
    },
  }
  const slow = provisionSandbox(world.worker({ provider }), session.key)
  await reached.passed
  // As the next worker does when the first one is silent.
  await sql`
    select pg_terminate_backend(backend_pid) from session_claims where session_id = ${session.session_id}`.execute(
    world.db,
  )
  await provisionSandbox(world.worker(), session.key)
  const before = await session.sandbox()
  expect(before).toMatchObject({ status: 'active', endpoint: world.daemon.url })
  await stopSession(hurried, session.key)
  await startSession(hurried, session.key)
  paused.open()
  await slow
  expect(await session.sandbox()).toMatchObject({ endpoint: world.daemon.url })
  expect((await session.row()).status).toBe('provisioning')
})

test('a restart while a sandbox is made: that one is removed, and was never anybody’s', async () => {
  const session = await newSession(world, project, { initial_prompt: 'x' })
  world.queue.drop()
  const paused = gate()
  const reached = gate()
  const provider = {
    ...world.provider,
    create: async (...args: Parameters<typeof world.provider.create>) => {
      reached.open()
      await paused.passed
      return world.provider.create(...args)
    },
  }
  const first = provisionSandbox(world.worker({ provider }), session.key)
  await reached.passed
  const answer = await restartSession(ctx, session.key)
  expect(answer).toMatchObject({ status: 'provisioning', external_id: null, runtime_status: 'provisioning' })
  paused.open()
  await first
  expect(await session.row()).toMatchObject({ external_id: null, status: 'provisioning' })
  const { retired } = await session.sandbox()
  expect(retired).toHaveLength(1)
  await world.queue.drain()
  const row = await session.row()
  expect(row.status).toBe('running')
  expect(world.provider.sandboxes.has(retired[0] ?? '')).toBe(false)
  expect((await session.sandbox()).retired).toEqual([])
})

test('restart answers for the new sandbox: nothing of the old one is shown or accepted', async () => {
  const session = await runningSession(world, project)
  const { external_id } = await session.row()
  const answer = await restartSession(ctx, session.key)
  expect(answer).toMatchObject({
    status: 'provisioning',
    runtime_status: 'provisioning',
    external_id: null,
    runtime_url: null,
    runtime_session_id: null,
  })
  expect(await sandboxes.findByExternalId(world.db, external_id ?? '')).toBe(undefined)
  // Deleted before a worker made the new one: the old one goes all the same.
  await stopSession(hurried, session.key)
  await world.queue.drain()
  expect(world.provider.sandboxes.has(external_id ?? '')).toBe(false)
  expect(await sessionPrompts.listPending(world.db, session.session_id)).toEqual([])
})
