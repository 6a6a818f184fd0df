import { projects } from '@svc/db'
import { refreshCatalogue } from '@svc/services'
import { expect, test } from 'vitest'
import { listApps } from '../src/index.ts'
import { manifest, openStage, site } from '../src/testing/index.ts'

const stage = await openStage()
const { world } = stage

test('a manifest that cannot be read is told of whole, entry by entry', async () => {
  const project = await stage.project({
    ...site,
    'svc.yaml': manifest('  site: { type: static, path: 5 }\n  api: { type: bundle, port: 0, speed: 3 }'),
  })
  await stage.settle(project)
  const row = await projects.find(world.db, project.project_id)
  if (row === undefined) throw new Error('The project is gone')
  await refreshCatalogue(world.worker(), row)
  const { errors } = await listApps(project.ctx, project)
  expect(errors.map(({ name, path }) => [name, path])).toEqual([
    ['site', 'apps.site.path'],
    ['api', 'apps.api.port'],
    ['api', 'apps.api.speed'],
  ])
})
