import { beforeAll, expect, test } from 'vitest'
import { cancelAppRelease, checkApps, getApp, listAppReleases } from '../src/index.ts'
import { manifest, openStage, site, type Stage, switchApps } from '../src/testing/index.ts'
import { reconcileApps, runRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

async function shop() {
  const project = await stage.project()
  await stage.settle(project)
  const { ctx, project_id } = project
  const address = { project_id, app: 'site' }
  const current = async () => (await getApp(ctx, address)).app.current_release
  const latest = async () => {
    const { releases } = await listAppReleases(ctx, { ...address, limit: 1 })
    if (releases[0] === undefined) throw new Error('No release')
    return releases[0]
  }
  return { project, ctx, project_id, address, current, latest }
}

test('a default branch that is set back to an earlier commit is shown as it is then', async () => {
  const { project, ctx, project_id, current } = await shop()
  const first = await project.tip('main')
  await project.commit('main', { 'site/index.html': 'Two' })
  await stage.settle(project)
  expect((await current())?.number).toBe(2)
  await project.git('update-ref', 'refs/heads/main', first)
  expect((await checkApps(ctx, { project_id })).apps[0]?.action).toBe('release')
  await stage.settle(project)
  expect(await current()).toMatchObject({ number: 3, commit_sha: first, status: 'ready' })
  await project.commit('main', { 'site/index.html': 'Three' })
  await stage.settle(project)
  expect((await current())?.number).toBe(4)
})

test('a release that ended with its feature is made once that is on again', async () => {
  const { project, project_id, current, latest } = await shop()
  const commit_sha = await project.commit('main', { 'site/index.html': 'Two' })
  await reconcileApps(stage.world.worker(), { project_id })
  await switchApps(stage.world, project, false)
  const { release_id } = (await stage.world.db
    .selectFrom('app_releases')
    .select('release_id')
    .where('project_id', '=', project_id)
    .where('status', '=', 'queued')
    .executeTakeFirst()) ?? { release_id: '' }
  await runRelease(stage.world.worker(), { release_id })
  await switchApps(stage.world, project, true)
  expect(await latest()).toMatchObject({ number: 2, status: 'cancelled' })
  await stage.settle(project)
  expect(await current()).toMatchObject({ number: 3, commit_sha, status: 'ready' })
})

test('an entry that went while its release was made, and came back, is released', async () => {
  const { project, project_id, current, latest } = await shop()
  await project.commit('main', { 'site/index.html': 'Two' })
  await reconcileApps(stage.world.worker(), { project_id })
  await project.commit('main', { 'svc.yaml': manifest('  other: { type: static, path: site }') })
  await stage.settle(project)
  expect(await latest()).toMatchObject({ number: 2, status: 'cancelled' })
  await project.commit('main', { 'svc.yaml': site['svc.yaml'] })
  await stage.settle(project)
  expect((await current())?.number).toBe(3)
})

test('what a person cancelled is made with the next merge, and not before', async () => {
  const { project, ctx, project_id, address, current } = await shop()
  await project.commit('main', { 'site/index.html': 'Two' })
  await reconcileApps(stage.world.worker(), { project_id })
  await cancelAppRelease(ctx, { ...address, number: '2' })
  await stage.settle(project)
  expect((await current())?.number).toBe(1)
  await project.commit('main', { 'README.md': 'Words' })
  await stage.settle(project)
  expect((await current())?.number).toBe(3)
})
