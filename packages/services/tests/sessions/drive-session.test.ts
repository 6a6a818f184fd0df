import { beforeEach, expect, test } from 'vitest'
import { abortSession, refreshSession, startSession, stopSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld({ session_cap: 100 })
const project = await makeProject(world)
const { ctx } = project
const pulled = {
  ok: true,
  updated: true,
  note: null,
  restart: 'when_idle',
  repo: { state: 'ready', branch: 'b', commit: 'c'.repeat(40) },
}
beforeEach(() => {
  world.daemon.asked.splice(0)
  world.daemon.drive = { status: 200, body: pulled }
})

const outcomes = async (session_id: string) => {
  const rows = await world.db
    .selectFrom('audit_events')
    .select(['action', 'outcome'])
    .where('session_id', '=', session_id)
    .where('action', 'in', ['refreshSession', 'abortSession'])
    .orderBy('seq')
    .execute()
  return rows.map(({ action, outcome }) => `${action} ${outcome}`)
}

test('a refresh is done by the sandbox, and says where the branch is and when the agent starts anew', async () => {
  const session = await runningSession(world, project)
  expect(await refreshSession(ctx, session.key)).toEqual({
    updated: true,
    note: null,
    restart: 'when_idle',
    branch: 'b',
    commit: 'c'.repeat(40),
  })
  expect(world.daemon.asked).toMatchObject([{ path: '/svc/refresh' }])
  expect(await outcomes(session.session_id)).toEqual(['refreshSession success'])
})

test('work that stands in the way of a refresh is told in the words of the sandbox', async () => {
  const session = await runningSession(world, project)
  const message = 'There is work that is not committed; commit or stash it, then refresh again'
  world.daemon.drive = { status: 409, body: { message, code: 'refresh_blocked' } }
  await expect(refreshSession(ctx, session.key)).rejects.toMatchObject({ code: 'REFRESH_BLOCKED', message })
  world.daemon.drive = {
    status: 502,
    body: { message: 'Fetching the branch: no route', code: 'refresh_failed' },
  }
  await expect(refreshSession(ctx, session.key)).rejects.toMatchObject({
    code: 'sandbox_unreachable',
    message: expect.stringContaining('no route'),
  })
  world.daemon.drive = { status: 200, body: { ...pulled, ok: false, note: 'no such repository' } }
  await expect(refreshSession(ctx, session.key)).rejects.toMatchObject({ message: 'no such repository' })
  expect(await outcomes(session.session_id)).toEqual([
    'refreshSession success',
    'refreshSession failed',
    'refreshSession success',
    'refreshSession failed',
    'refreshSession success',
  ])
})

test('an abort ends what the agent works on', async () => {
  const session = await runningSession(world, project)
  expect(await abortSession(ctx, session.key)).toEqual({ ok: true })
  expect(world.daemon.asked).toMatchObject([{ path: '/svc/abort' }])
  expect(await outcomes(session.session_id)).toEqual(['abortSession success'])
})

test.each([
  ['refresh', refreshSession],
  ['abort', abortSession],
] as const)('a %s of a session that does not run says to start it', async (_, verb) => {
  const coming = await newSession(world, project)
  await expect(verb(ctx, coming.key)).rejects.toMatchObject({ code: 'session_starting' })
  world.queue.drop()
  const session = await runningSession(world, project)
  world.queue.live = true
  await stopSession(ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
  await expect(verb(ctx, session.key)).rejects.toMatchObject({
    code: 'SESSION_NOT_RUNNING',
    message: expect.stringMatching(/stopped; start it/),
  })
  expect(world.daemon.asked).toEqual([])
  await startSession(world.as(project.owner.principal, { signal: AbortSignal.abort() }), session.key)
  world.queue.drop()
})
