import { closeChangeRequest } from '@svc/services'
import { beforeAll, expect, test } from 'vitest'
import { getApp, listChangeRequestApps, releaseApp, removeAppPreview, updateApp } from '../src/index.ts'
import { manifest, openStage, type Stage, switchApps } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const two = {
  'svc.yaml': manifest(
    '  site: { type: static, path: site, secrets: { KEY: API_KEY, OTHER: OTHER } }\n  docs: { type: static, path: docs }',
  ),
  'docs/index.html': 'Docs',
  'site/index.html': 'Changed',
}

async function proposed() {
  const project = await stage.project()
  await stage.settle(project)
  const cr = await project.propose('change', two)
  const { project_id, ctx } = project
  const listed = async () => (await listChangeRequestApps(ctx, { project_id, cr_id: cr.cr_id })).apps
  return { project, cr, ctx, project_id, listed }
}

test('what merging would deploy is told before it is merged, and a preview is made by hand', async () => {
  const { project, cr, ctx, project_id, listed } = await proposed()
  expect(
    (await listed()).map(({ name, action, deployable, preview }) => [name, action, deployable, preview]),
  ).toEqual([
    ['docs', 'create', true, null],
    ['site', 'release', true, null],
  ])
  await updateApp(ctx, { project_id, app: 'site', preview_secrets: ['OTHER'] })
  const { release } = await releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })
  expect(release).toMatchObject({
    ...{ channel: 'preview', source: 'preview', secrets: ['OTHER'], withheld_secrets: ['API_KEY'] },
    url: expect.stringMatching(/^http:\/\/site--project[a-z0-9-]*--cr1\./),
  })
  await stage.settle(project)
  const [, site] = await listed()
  expect(site?.preview?.release).toMatchObject({ status: 'ready', current: true })
  expect((await getApp(ctx, { project_id, app: 'site' })).app.current_release?.number).toBe(1)
})

test('an app that the change request brings has a preview before it is declared', async () => {
  const { project, cr, ctx, project_id } = await proposed()
  const asked = [1, 2].map(() => releaseApp(ctx, { project_id, app: 'docs', cr_id: String(cr.number) }))
  const made = await Promise.all(asked)
  expect(made.map(({ release }) => release.number).sort()).toEqual([1, 2])
  await stage.settle(project)
  const { app } = await getApp(ctx, { project_id, app: 'docs' })
  expect([app.state, app.current_release]).toEqual(['undeclared', null])
  await project.commit('main', two)
  await stage.settle(project)
  expect((await getApp(ctx, { project_id, app: 'docs' })).app).toMatchObject({
    state: 'serving',
    current_release: { number: 3 },
  })
})

test('it follows the head of the change request, and goes with it', async () => {
  const { project, cr, ctx, project_id, listed } = await proposed()
  await releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })
  await stage.settle(project)
  const head = await project.commit('change', { 'site/index.html': 'Changed again' })
  await stage.settle(project)
  const preview = (await listed()).find(({ name }) => name === 'site')?.preview
  expect(preview?.release).toMatchObject({ status: 'ready', current: true, commit_sha: head })
  await closeChangeRequest(ctx, { project_id, cr: cr.cr_id })
  await stage.settle(project)
  expect((await listed()).map((one) => one.preview)).toEqual([null, null])
  await expect(releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })).rejects.toMatchObject({
    code: 'CR_NOT_OPEN',
  })
})

test('a preview is taken away, twice as well', async () => {
  const { project, cr, ctx, project_id, listed } = await proposed()
  await releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })
  await stage.settle(project)
  const address = { project_id, app: 'site', cr_id: cr.cr_id }
  await removeAppPreview(ctx, address)
  await removeAppPreview(ctx, address)
  expect((await listed()).find(({ name }) => name === 'site')?.preview).toBeNull()
})

test('a project that may deploy none has none to tell of, which is no denial', async () => {
  const { project, listed } = await proposed()
  await switchApps(stage.world, project, false)
  expect(await listed()).toEqual([])
})
