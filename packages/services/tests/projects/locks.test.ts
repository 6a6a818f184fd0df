import { randomUUID } from 'node:crypto'
import { createDatabase, sandboxes, sessionEvents, sessionPrompts, withLock } from '@svc/db'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createChangeRequest,
  createSession,
  promptSession,
  provisionProject,
  putSecret,
  reportTurnStream,
  requestChanges,
  restartSession,
  stopSession,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

async function session() {
  const project = await makeProject(world)
  return { project, ...(await newSession(world, project)) }
}

test('many who speak to one session at once do not lock each other out', async () => {
  const { project, key } = await session()
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => promptSession(project.ctx, { ...key, text: `prompt ${index}` })),
  )
  const queue = await sessionPrompts.listPending(world.db, key.session_id)
  const events = await sessionEvents.listAfter(world.db, key.session_id, 0, 1_000)
  const log = events.filter(({ type }) => type === 'prompt')
  // The inbox and the log tell of them in the same order.
  expect(log.map((event) => event.payload.prompt_id)).toEqual(queue.map((prompt) => prompt.prompt_id))
  expect(queue).toHaveLength(30)
})

test('reports, stops, restarts and feedback on one session do not lock each other out', async () => {
  const { project, key, ...sandbox } = await session()
  const { cr_id } = await project.propose(`head-${randomUUID()}`, undefined, { session_id: key.session_id })
  world.queue.live = true
  await world.queue.enqueue('session', 'sandbox.provision', { session_id: key.session_id })
  await world.queue.settled()
  for (let round = 0; round < 6; round += 1) {
    const prompt_id = (await promptSession(project.ctx, { ...key, text: 'go' })).prompt_id
    await world.queue.settled()
    const daemon = await sandbox.daemon()
    const report = (report: Parameters<typeof reportTurnStream>[1]) =>
      reportTurnStream(daemon, report).catch((error: unknown) => {
        // The restart was first.
        expect(error).toMatchObject({ code: 'unauthorized' })
      })
    await Promise.all([
      report({ ...key, kind: 'turn_begin', prompt_id }),
      report({ ...key, kind: 'turn_end', prompt_id, status: 'completed' }),
      report({ ...key, kind: 'execution_heartbeat', lease_ttl_seconds: 60 }),
      promptSession(project.ctx, { ...key, text: 'more' }),
      requestChanges(project.ctx, { project_id: key.project_id, cr: cr_id, feedback: 'please' }),
      round % 2 === 0 ? restartSession(project.ctx, key) : stopSession(project.ctx, key),
    ])
    await world.queue.settled()
  }
  world.queue.live = false
  expect(world.queue.failures).toEqual([])
})

test('sessions, change requests, secrets and projects of one account do not lock each other out', async () => {
  const { project, key } = await session()
  const { project_id } = project
  const heads = Array.from({ length: 8 }, (_, index) => `work-${index}`)
  for (const head of heads) await project.commit(head, { [head]: head }, head, { from: 'main' })
  await Promise.all(
    heads.flatMap((head_ref) => [
      createChangeRequest(project.ctx, { title: head_ref, head_ref, ...key }),
      createSession(project.ctx, { project_id, respond_async: false, body: { initial_prompt: 'x' } }),
      putSecret(project.ctx, { project_id, name: head_ref.replace('-', '_'), value: 'x' }),
      provisionProject(project.ctx, { name: 'Beside', seed_starter: false }),
      promptSession(project.ctx, { ...key, text: 'x' }),
    ]),
  )
})

test('a connection that is lost while it holds a lock fails its own work alone', async () => {
  const locks = createDatabase(world.connection_string, { max: 2 })
  const holders = sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`
  for (let round = 0; round < 20; round += 1) {
    const lost = withLock(locks, 'cut', async () => {
      const { rows } = await holders.execute(world.db)
      expect(rows).toHaveLength(1)
      for (const { pid } of rows) await sql`select pg_terminate_backend(${pid})`.execute(world.db)
      while ((await holders.execute(world.db)).rows.length > 0);
    })
    await expect(lost).rejects.toThrow()
    expect(await withLock(locks, 'cut', async () => 'held again')).toBe('held again')
  }
  await locks.destroy()
})

test('whoever holds a lock has connections for its queries, however many wait', async () => {
  const waiting = Array.from({ length: 25 }, (_, index) =>
    withLock(world.worker().locks, 'busy', async () => {
      await sandboxes.find(world.db, randomUUID())
      return index
    }),
  )
  expect((await Promise.all(waiting)).sort((a, b) => a - b)).toEqual(waiting.map((_, index) => index))
})
