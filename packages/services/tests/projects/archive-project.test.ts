import { projects, sessions } from '@svc/db'
import { expect, test } from 'vitest'
import { archiveProject } from '../../src/index.ts'
import { makeProject, newSession, openWorld, runningSession } from '../../src/testing/index.ts'
import { dieAt } from '../support/faults.ts'

const world = await openWorld()
const project = await makeProject(world)
const { owner } = project

test('a platform that dies while a project is archived leaves all of its sessions or none', async () => {
  const own = await makeProject(world, owner)
  for (let n = 0; n < 2; n += 1) await runningSession(world, own)
  for (let step = 1, archived = false; !archived; step += 1) {
    const fault = dieAt(step)
    await archiveProject({ ...own.ctx, db: fault.db(own.ctx.db) }, own).catch((error: unknown) => {
      if (!fault.died) throw error
    })
    archived = (await projects.find(world.db, own.project_id))?.status === 'archived'
    expect(await sessions.listOfProject(world.db, own.project_id)).toHaveLength(archived ? 0 : 2)
  }
})

test('a session that was asked for while its project was archived never comes up', async () => {
  const own = await makeProject(world, owner)
  const session = await newSession(world, own)
  // As when it was written right after the archive had looked for sessions.
  const now = world.clock.now()
  await projects.archive(world.db, own.project_id, now)
  await world.queue.drain()
  expect(await session.row()).toMatchObject({ external_id: null, runtime_status: 'archived' })
  expect((await session.row()).deleted_at).not.toBeNull()
})
