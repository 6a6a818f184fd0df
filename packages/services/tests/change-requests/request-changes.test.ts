import { sessionPrompts } from '@svc/db'
import { beforeEach, expect, test } from 'vitest'
import { deleteSession, requestChanges, stopSession, sweepUndelivered } from '../../src/index.ts'
import { addOwner } from '../../src/testing/people.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, ctx } = project
beforeEach(() => {
  world.queue.drop()
  world.daemon.prompts.splice(0)
})
const proposedBy = async (session: TestSession, of = project) => {
  await of.commit(session.session_id, { [`${session.session_id}.txt`]: 'w\n' })
  return of.propose(`head-${session.session_id}`, undefined, { session_id: session.session_id })
}
const stop = async (session: TestSession, of = project) => {
  world.queue.live = true
  await stopSession(of.ctx, session.key)
  await world.queue.settled()
  world.queue.live = false
  world.clock.advance(1000)
}

test('feedback is kept on the row and reaches the session that runs', async () => {
  const session = await runningSession(world, project)
  const cr = await proposedBy(session)
  const asked = await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'Rename it \ud83d' })
  expect(asked.delivering).toBe(true)
  await requestChanges(ctx, { project_id, cr: String(cr.number), feedback: 'And test it' })
  const { change_request } = await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'Third' })
  expect(change_request.metadata.requested_changes).toMatchObject([
    { text: 'Rename it \ufffd', by: project.owner.user_id, at: world.clock.now().toISOString() },
    { text: 'And test it' },
    { text: 'Third' },
  ])
  expect(change_request.status).toBe('open')
  await world.queue.drain()
  expect(world.daemon.prompts.map((prompt) => prompt.text)).toEqual([
    expect.stringContaining('Rename it'),
    expect.stringContaining('And test it'),
    expect.stringContaining('Third'),
  ])
  expect(world.daemon.prompts[0]?.text).toContain(`#${cr.number}`)
})

test('a sleeping session is woken for it', async () => {
  const session = await runningSession(world, project)
  const cr = await proposedBy(session)
  await stop(session)
  expect((await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'x' })).delivering).toBe(true)
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(world.daemon.prompts).toHaveLength(1)
})

test('where the session is gone, or there was none, the feedback is only kept', async () => {
  const session = await runningSession(world, project)
  const cr = await proposedBy(session)
  await deleteSession(ctx, session.key)
  expect(await requestChanges(ctx, { project_id, cr: cr.cr_id, feedback: 'x' })).toMatchObject({
    delivering: false,
    change_request: { metadata: { requested_changes: [{ text: 'x' }] } },
  })
  const lone = await project.propose('lone')
  expect((await requestChanges(ctx, { project_id, cr: lone.cr_id, feedback: 'y' })).delivering).toBe(false)
})

test('without room to wake the session its feedback stays owed, and arrives when there is', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const session = await runningSession(world, own)
  const cr = await proposedBy(session, own)
  await stop(session, own)
  const others = [await newSession(world, own), await newSession(world, own), await newSession(world, own)]
  await world.queue.drain()
  const asked = await requestChanges(own.ctx, { project_id: own.project_id, cr: cr.cr_id, feedback: 'later' })
  expect(asked.delivering).toBe(true)
  world.queue.drop()
  expect(await sessionPrompts.listPending(world.db, session.session_id)).toHaveLength(1)
  for (const other of others) await stop(other, own)
  world.clock.advance(11_000)
  await sweepUndelivered(world.base)
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(world.daemon.prompts).toMatchObject([{ text: expect.stringContaining('later') }])
})
