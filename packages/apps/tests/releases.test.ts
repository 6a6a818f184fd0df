import { appReleases, apps, audit } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import {
  cancelAppRelease,
  checkApps,
  getApp,
  getAppRelease,
  listAppReleases,
  listApps,
  listAppRollouts,
  readAppEvents,
  readAppLog,
  releaseApp,
  rollbackApp,
} from '../src/index.ts'
import { reconcileApps, runRelease, runRollout } from '../src/work.ts'
import { manifest, openStage, site, type Stage, switchApps } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  )

test('a commit of the default branch becomes the release that the address shows', async () => {
  const project = await stage.project()
  const { ctx, project_id } = project
  await stage.settle(project)
  const { app } = await getApp(ctx, { project_id, app: 'site' })
  expect(app).toMatchObject({
    state: 'serving',
    access_mode: 'private',
    current_release: { number: 1, status: 'ready', commit_sha: await project.tip('main') },
  })
  expect(app.url).toMatch(/^http:\/\/site--project[a-z0-9-]*\.apps\.example\.test:7703$/)
  const { release } = await getAppRelease(ctx, { project_id, app: 'site', number: '1' })
  expect(release).toMatchObject({
    source: 'merge',
    current: true,
    config: { type: 'static', folder: 'site' },
    artifact: { kind: 'files', files: 1, bytes: 12 },
  })
  const { lines } = await readAppLog(ctx, { project_id, app: 'site', release: '1', after: 0, limit: 100 })
  expect(lines.map(({ line }) => line)).toEqual([
    expect.stringContaining('Release 1 of'),
    'Stored 1 file, 12 bytes',
    'Release 1 is ready',
  ])
  const { events } = await readAppEvents(ctx, { project_id, app: 'site', after: 0, limit: 100 })
  expect(events.map(({ type }) => type)).toEqual([
    'app.declared',
    'app.release.queued',
    'app.release.started',
    'app.release.ready',
    'app.switched',
  ])
})

test('a commit that changes nothing of an app makes no release of it', async () => {
  const project = await stage.project()
  await stage.settle(project)
  await project.commit('main', { 'README.md': 'Words\n' })
  await stage.settle(project)
  const { project_id, ctx } = project
  expect((await listAppReleases(ctx, { project_id, app: 'site', limit: 10 })).releases).toHaveLength(1)
  await project.commit('main', { 'site/index.html': '<h1>Two</h1>' })
  await stage.settle(project)
  const { releases } = await listAppReleases(ctx, { project_id, app: 'site', limit: 10 })
  expect(releases.map(({ number, current }) => [number, current])).toEqual([
    [2, true],
    [1, false],
  ])
})

test('private files and links are left out, and the log says so', async () => {
  const project = await stage.project({
    ...site,
    'site/.env': 'KEY=1',
    'site/.env.local': 'KEY=2',
    'site/.git-note': 'x',
  })
  await stage.settle(project)
  const { project_id, ctx } = project
  const app = await apps.find(stage.world.db, { project_id, name: 'site' })
  const release = app && (await appReleases.findNumber(stage.world.db, app.app_id, 1))
  const files = release ? await appReleases.files(stage.world.db, release.release_id) : []
  expect(files.map(({ path }) => path).sort()).toEqual(['.git-note', 'index.html'])
  const { lines } = await readAppLog(ctx, { project_id, app: 'site', after: 0, limit: 100 })
  expect(lines.map(({ line }) => line).join('\n')).toContain('Left out .env: files of this name stay private')
})

test('a folder that is not there fails the release, says what is there, and takes no traffic', async () => {
  const project = await stage.project()
  await stage.settle(project)
  await project.commit('main', { 'svc.yaml': manifest('  site: { type: static, path: sit }') })
  await stage.settle(project)
  const { project_id, ctx } = project
  const { app } = await getApp(ctx, { project_id, app: 'site' })
  expect(app.current_release?.number).toBe(1)
  expect(app.latest_release).toMatchObject({
    number: 2,
    status: 'failed',
    failure: { category: 'config', retryable: false, message: expect.stringContaining('site/') },
  })
})

test('an entry that this platform cannot make fails with its issues, and nothing else does', async () => {
  const project = await stage.project({
    ...site,
    'svc.yaml': manifest('  site: { type: static, path: site }\n  api: { type: bundle }'),
  })
  await stage.settle(project)
  const { project_id, ctx } = project
  const { apps: listed, provider } = await listApps(ctx, { project_id })
  expect(provider).toMatchObject({ processes: false, images: false })
  expect(listed.map(({ name, state }) => [name, state])).toEqual([
    ['api', 'failed'],
    ['site', 'serving'],
  ])
  const checked = await checkApps(ctx, { project_id })
  expect(checked.apps.map(({ name, action, deployable }) => [name, action, deployable])).toEqual([
    ['api', 'unchanged', false],
    ['site', 'unchanged', true],
  ])
  expect(await codeOf(releaseApp(ctx, { project_id, app: 'api' }))).toBe('app_config_invalid')
})

test('an app that the manifest lets go is undeclared, and comes back with its entry', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  await project.commit('main', { 'svc.yaml': 'svc_version: 2\n' })
  await stage.settle(project)
  expect((await getApp(ctx, { project_id, app: 'site' })).app.state).toBe('undeclared')
  await project.commit('main', { 'svc.yaml': site['svc.yaml'] })
  await stage.settle(project)
  const { app } = await getApp(ctx, { project_id, app: 'site' })
  expect([app.state, app.current_release?.number]).toEqual(['serving', 1])
})

test('a rollback shows the earlier release, and a later one replaces it', async () => {
  const project = await stage.project()
  await stage.settle(project)
  await project.commit('main', { 'site/index.html': 'Two' })
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  expect(await codeOf(rollbackApp(ctx, { ...address, expected_current: 1 }))).toBe('conflict')
  expect(await codeOf(rollbackApp(ctx, { ...address, number: 9 }))).toBe('not_found')
  const { rollout } = await rollbackApp(ctx, { ...address, expected_current: 2 })
  expect(rollout).toMatchObject({ kind: 'rollback', from_number: 2, to_number: 1, status: 'pending' })
  expect(await codeOf(rollbackApp(ctx, address))).toBe('app_rollout_in_progress')
  await stage.settle(project)
  expect((await getApp(ctx, address)).app.current_release?.number).toBe(1)
  const { rollouts } = await listAppRollouts(ctx, { ...address, limit: 10 })
  expect(rollouts.map(({ kind, to_number, status }) => [kind, to_number, status])).toEqual([
    ['rollback', 1, 'drained'],
    ['release', 2, 'drained'],
    ['release', 1, 'drained'],
  ])
  await project.commit('main', { 'site/index.html': 'Three' })
  await stage.settle(project)
  expect((await getApp(ctx, address)).app.current_release?.number).toBe(3)
})

test('a rollback does not show what is gone from the store', async () => {
  const project = await stage.project()
  await stage.settle(project)
  await project.commit('main', { 'site/index.html': `Two ${project.project_id}` })
  await stage.settle(project)
  await project.commit('main', { 'site/index.html': 'Three' })
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  const app = await apps.find(stage.world.db, { project_id, name: 'site' })
  const two = app && (await appReleases.findNumber(stage.world.db, app.app_id, 2))
  for (const { sha256 } of two ? await appReleases.files(stage.world.db, two.release_id) : [])
    await stage.world.base.objects.delete(`apps/${sha256}`)
  await rollbackApp(ctx, address)
  await stage.settle(project)
  const { rollouts } = await listAppRollouts(ctx, { ...address, limit: 1 })
  expect(rollouts[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('index.html') })
  expect((await getApp(ctx, address)).app.current_release?.number).toBe(3)
})

test('of two releases at once the later one wins, whichever is ready first', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  const [two, three] = [(await releaseApp(ctx, address)).release, (await releaseApp(ctx, address)).release]
  await runRelease(stage.world.worker(), three)
  await runRelease(stage.world.worker(), two)
  expect((await getApp(ctx, address)).app.current_release?.number).toBe(3)
  expect((await getAppRelease(ctx, { ...address, number: '2' })).release).toMatchObject({
    status: 'ready',
    superseded_by: 3,
    current: false,
  })
})

test('a rollback is not undone by a release that was under way', async () => {
  const project = await stage.project()
  await stage.settle(project)
  await project.commit('main', { 'site/index.html': 'Two' })
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  const { release } = await releaseApp(ctx, address)
  const { rollout } = await rollbackApp(ctx, { ...address, number: 1 })
  await runRollout(stage.world.worker(), rollout)
  await runRelease(stage.world.worker(), release)
  expect((await getApp(ctx, address)).app.current_release?.number).toBe(1)
})

test('a release by hand is of a merged commit, is made once for a key, and can be cancelled', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  const commit_sha = await project.commit('other', { 'site/index.html': 'Other' }, 'Other', { from: 'main' })
  expect(await codeOf(releaseApp(ctx, { ...address, commit_sha }))).toBe('app_commit_not_merged')
  const once = await releaseApp(ctx, { ...address, idempotency_key: 'a' })
  const twice = await releaseApp(ctx, { ...address, idempotency_key: 'a' })
  const at_once = ['b', 'b', 'b'].map((idempotency_key) => releaseApp(ctx, { ...address, idempotency_key }))
  expect(new Set((await Promise.all(at_once)).map(({ release }) => release.number)).size).toBe(1)
  expect(await codeOf(releaseApp(ctx, { ...address, idempotency_key: 'x'.repeat(300) }))).toBe(
    'INVALID_IDEMPOTENCY_KEY',
  )
  expect(twice.release.release_id).toBe(once.release.release_id)
  const number = String(once.release.number)
  expect((await cancelAppRelease(ctx, { ...address, number })).release.status).toBe('cancelled')
  expect(await codeOf(cancelAppRelease(ctx, { ...address, number }))).toBe('app_release_final')
  await runRelease(stage.world.worker(), once.release)
  expect((await getAppRelease(ctx, { ...address, number })).release.status).toBe('cancelled')
})

test('switched off, nothing is answered, read or released', async () => {
  const project = await stage.project()
  const { project_id, ctx } = project
  await switchApps(stage.world, project, false)
  expect(await codeOf(listApps(ctx, { project_id }))).toBe('feature_disabled')
  await reconcileApps(stage.world.worker(), { project_id })
  expect(await apps.list(stage.world.db, project_id)).toEqual([])
  await switchApps(stage.world, project, true)
  await stage.settle(project)
  const { release } = await releaseApp(ctx, { project_id, app: 'site' })
  await switchApps(stage.world, project, false)
  await runRelease(stage.world.worker(), release)
  expect((await appReleases.find(stage.world.db, release.release_id))?.status).toBe('cancelled')
})

test('what a merge released is told as done by the platform', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const events = await audit.list(stage.world.db, project.account_id, { limit: 50 })
  expect(events.find(({ action }) => action === 'releaseApp')).toMatchObject({
    actor_type: 'system',
    target: `projects/${project.project_id}/apps/site`,
  })
})

test('a release that is cancelled in the middle of its work ends as that, and says nothing of a failure', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  await project.commit('main', { 'site/new.html': `New of ${project_id}` })
  const { release } = await releaseApp(ctx, address)
  const number = String(release.number)
  const { objects } = stage.world.base
  const put: typeof objects.put = async (key, body) => {
    await cancelAppRelease(ctx, { ...address, number })
    await objects.put(key, body)
  }
  await runRelease(stage.world.worker({ objects: { ...objects, put } }), release)
  expect((await getAppRelease(ctx, { ...address, number })).release).toMatchObject({
    ...{ status: 'cancelled', artifact: null, failure: null },
  })
  const { lines } = await readAppLog(ctx, { ...address, release: number, after: 0, limit: 100 })
  expect(lines.filter(({ stream }) => stream === 'stderr')).toEqual([])
  expect(lines.map(({ line }) => line).join('\n')).not.toContain('Stored')
})
