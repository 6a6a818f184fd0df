import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { jobFailures, merges, sessionEvents } from '@svc/db'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import {
  createSession,
  deleteSession,
  getChangeRequest,
  mergeChangeRequest,
  promptSession,
  sweepOldRecords,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { ctx, project_id } = project
const day = 24 * 3_600_000
const tables = [
  'project_sessions',
  'session_sandboxes',
  'session_prompts',
  'session_events',
  'tokens',
] as const

const settings = {
  SVC_AUDIT_DAYS: 0,
  SVC_SECRET_ACCESS_DAYS: 0,
  SVC_DELETED_SESSION_DAYS: 30,
  SVC_WORK_HISTORY_DAYS: 0,
}
const sweep = (of: Partial<typeof settings> = {}) => sweepOldRecords(world.worker(), { ...settings, ...of })

/** Its rows, by table. */
async function rowsOf({ session_id }: TestSession): Promise<Readonly<Record<string, number>>> {
  const counted = tables.map(async (table) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from ${sql.table(table)} where session_id = ${session_id}`.execute(
      world.db,
    )
    return [table, rows[0]?.n ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}
const none = Object.fromEntries(tables.map((table) => [table, 0]))

async function withEvents(count: number): Promise<TestSession> {
  const session = await runningSession(world, project)
  await promptSession(ctx, { ...session.key, text: 'work' })
  const events = Array.from({ length: count }, () => ({
    type: 'message',
    at: world.clock.now(),
    payload: {},
  }))
  await sessionEvents.append(world.db, session.session_id, events)
  await world.queue.drain()
  return session
}

test('a deleted session goes in time; its change request, its key and the sessions beside it stay', async () => {
  const key = 'the-key-of-a-session'
  const input = { project_id, idempotency_key: key, respond_async: false, body: {} }
  const created = await createSession(ctx, input)
  if (created.kind !== 'created') throw new Error('It was queued')
  await world.queue.drain()
  const session = await withEvents(3)
  const other = await withEvents(3)
  const cr = await project.propose('kept')
  await sql`update change_requests set origin_session_id = ${session.session_id}
    where cr_id = ${cr.cr_id}`.execute(world.db)
  await deleteSession(ctx, { project_id, session_id: created.session.session_id })
  await deleteSession(ctx, session.key)
  const left = await rowsOf(other)

  // Its sandbox is not removed yet: without its row no worker would ever find it.
  world.clock.advance(31 * day)
  expect(await sweep()).toBe(0)
  await world.queue.drain()
  expect(await sweep({ SVC_DELETED_SESSION_DAYS: 0 })).toBe(0)
  expect(await sweep({ SVC_DELETED_SESSION_DAYS: 32 })).toBe(0)
  expect(await sweep()).toBe(2)

  expect(await rowsOf(session)).toEqual(none)
  expect(await rowsOf(other)).toEqual(left)
  expect(await getChangeRequest(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    change_request: { origin_session_id: null },
  })
  await expect(createSession(ctx, input)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_SESSION_DELETED' })
})

test('a removal that is killed in the middle loses nothing else, and the next one goes on', async () => {
  const session = await withEvents(1_700)
  const other = await withEvents(700)
  await deleteSession(ctx, session.key)
  await world.queue.drain()
  world.clock.advance(31 * day)
  const left = await rowsOf(other)
  const runner = await bundleProcess(new URL('../support/run-retention.ts', import.meta.url))
  // Stands between its events and its prompts for as long as this transaction holds them.
  await world.db.transaction().execute(async (tx) => {
    await sql`lock table session_prompts in exclusive mode`.execute(tx)
    const args = [runner, world.connection_string, world.clock.now().toISOString()]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    await vi.waitFor(async () => expect((await rowsOf(session))['session_events']).toBe(0), 180_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  expect(await rowsOf(session)).toMatchObject({ project_sessions: 1, session_sandboxes: 1 })
  expect(await Promise.all([sweep(), sweep()]).then(([one, two]) => one + two)).toBe(1)
  expect(await rowsOf(session)).toEqual(none)
  expect(await rowsOf(other)).toEqual(left)
  expect(await sweep()).toBe(0)
})

test('attempts to merge and failed jobs are kept for as long as the operator says, and their change requests for ever', async () => {
  const cr = await project.propose('merged')
  const hurried = world.as(project.owner.principal, { signal: AbortSignal.abort() })
  await expect(mergeChangeRequest(hurried, { project_id, cr: cr.cr_id })).rejects.toMatchObject({
    code: 'request_deadline',
  })
  await world.queue.drain()
  const { rows } = await sql<{ attempt_id: string }>`select attempt_id from merge_attempts`.execute(world.db)
  expect(rows).toHaveLength(1)
  const failed = { queue: 'session', job: 'sandbox.stop', ids: {}, error: 'x', request_id: null }
  const failure_id = randomUUID()
  const now = world.clock.now()
  await jobFailures.record(world.db, { ...failed, failure_id, row_id: failure_id, failed_at: now })
  world.clock.advance(31 * day)
  await sweep({ SVC_WORK_HISTORY_DAYS: 32 })
  expect(await jobFailures.find(world.db, failure_id)).toBeDefined()
  expect(await merges.findAttempt(world.db, rows[0]?.attempt_id ?? '')).toBeDefined()
  await sweep({ SVC_WORK_HISTORY_DAYS: 30 })
  expect(await merges.findAttempt(world.db, rows[0]?.attempt_id ?? '')).toBeUndefined()
  expect(await jobFailures.find(world.db, failure_id)).toBeUndefined()
  expect(await getChangeRequest(ctx, { project_id, cr: cr.cr_id })).toMatchObject({
    change_request: { status: 'merged' },
  })
})
