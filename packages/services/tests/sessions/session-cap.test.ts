import { expect, test } from 'vitest'
import { createSession } from '../../src/index.ts'
import { addOwner, makeProject, openWorld } from '../../src/testing/index.ts'

const world = await openWorld()

test('the cap of live sessions is the one of the plan', async () => {
  const own = await makeProject(world, await addOwner(world, 'free'))
  const plan = (session_cap: number) =>
    world.db.updateTable('plans').set({ session_cap }).where('tier', '=', 'free').execute()
  const start = () => createSession(own.ctx, { project_id: own.project_id, respond_async: false, body: {} })
  await plan(1)
  await start()
  await expect(start()).rejects.toMatchObject({ code: 'session_limit_reached', details: { limit: 1 } })
  await plan(2)
  expect(await start()).toMatchObject({ kind: 'created' })
  await plan(3)
})
