import { appReleases, apps } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import { releaseApp } from '../src/index.ts'
import { openStage, type Stage } from '../src/testing/index.ts'
import { followPreviews, reconcileApps } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
})

const entry = (resources: string) =>
  `{ type: bundle, path: api, command: [node, server.js], resources: ${resources} }`
const proposed = (word: string) => ({
  'svc.yaml': `svc_version: 2\napps:\n  api: ${entry('{ cpu: 4, memory_gb: 8 }')}\n  other: ${entry('{ cpu: 3 }')}\n`,
  'api/server.js': word,
})

test('a preview has the resources that were reviewed, whatever its change request asks for', async () => {
  const project = await stage.project({
    'svc.yaml': `svc_version: 2\napps:\n  api: ${entry('{ cpu: 2, disk_gb: 5 }')}\n`,
    'api/server.js': 'one',
  })
  const { project_id, ctx } = project
  await reconcileApps(stage.worker(), { project_id })
  const { cr_id } = await project.propose('change', proposed('two'))
  const preview = async (app: string) => (await releaseApp(ctx, { project_id, app, cr_id })).release
  const reviewed = { cpu: 2, memory_gb: 2, disk_gb: 5 }
  expect((await preview('api')).config.resources).toEqual(reviewed)
  expect((await preview('other')).config.resources).toEqual({ cpu: 1, memory_gb: 2, disk_gb: 10 })

  const head = await project.commit('change', proposed('three'))
  await followPreviews(stage.worker())
  const app = await apps.find(stage.world.db, { project_id, name: 'api' })
  const [followed] = await appReleases.list(stage.world.db, { app_id: app?.app_id ?? '', limit: 1 })
  expect(followed).toMatchObject({ commit_sha: head, config: { resources: reviewed } })
})
