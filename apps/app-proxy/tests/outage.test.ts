import { openStage, type Stage } from '@svc/apps/testing'
import { getApp } from '@svc/apps'
import { createDatabase } from '@svc/db'
import { beforeAll, expect, it } from 'vitest'
import { knownPlaces } from '../src/places/known-places.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

it('knows a place for five minutes while the database is away, and no longer', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { app } = await getApp(project.ctx, { project_id: project.project_id, app: 'site' })
  const [label = ''] = new URL(app.url ?? '').host.split('.')
  let now = 0
  const db = createDatabase(stage.world.connection_string)
  const places = knownPlaces(db, () => now, Date.now)
  expect(await places.find(label)).toMatchObject({ app_id: app.app_id })
  await db.destroy()
  places.forget(null)
  now = 299_000
  expect(await places.find(label)).toMatchObject({ app_id: app.app_id })
  now = 301_000
  await expect(places.find(label)).rejects.toThrow()
})

it('reads again once a change was told of, also while it reads', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { app } = await getApp(project.ctx, { project_id: project.project_id, app: 'site' })
  const [label = ''] = new URL(app.url ?? '').host.split('.')
  const places = knownPlaces(stage.world.db, () => 0, Date.now)
  const reading = places.find(label)
  await stage.world.db
    .updateTable('apps')
    .set({ desired: 'stopped' })
    .where('app_id', '=', app.app_id)
    .execute()
  places.forget(project.project_id)
  await reading
  expect((await places.find(label))?.desired).toBe('stopped')
})
