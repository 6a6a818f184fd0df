import { appObjects, appReleases } from '@svc/db'
import { closeChangeRequest } from '@svc/services'
import type { TestProject } from '@svc/services/testing'
import { beforeAll, expect, test } from 'vitest'
import { getApp, listAppReleases, releaseApp, rollbackApp } from '../src/index.ts'
import { manifest, openStage, type Stage } from '../src/testing/index.ts'
import { forgetReleases } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const dayMs = 86_400_000
const days = (count: number) => stage.world.clock.advance(count * dayMs)
const forget = (window_days = 7) => forgetReleases(stage.world.worker(), { window_ms: window_days * dayMs })

/** The objects that a release names. */
async function objectsOf(release_id: string): Promise<string[]> {
  return (await appReleases.files(stage.world.db, release_id)).map(({ sha256 }) => sha256)
}

const stored = async (sha256: string) => (await stage.world.base.objects.head(`apps/${sha256}`)) !== null

/** The numbers of the releases that are left, the newest first. */
async function numbers({ ctx, project_id }: TestProject): Promise<number[]> {
  const { releases } = await listAppReleases(ctx, { project_id, app: 'site', limit: 100 })
  return releases.map(({ number }) => number)
}

async function change(project: TestProject, text: string): Promise<void> {
  await project.commit('main', { 'site/index.html': text })
  await stage.settle(project)
}

test('the last 20 that were ready stay, and what is shown however old; the others go, and cannot be gone back to', async () => {
  const project = await stage.project()
  await stage.settle(project)
  for (let n = 2; n <= 23; n++) await change(project, `Number ${n}`)
  const { project_id, ctx } = project
  const { rollout } = await rollbackApp(ctx, { project_id, app: 'site', number: 2 })
  await stage.settle(project)
  expect(rollout.to_number).toBe(2)
  expect(await forget()).toBe(0)
  days(8)
  await forget()
  expect(await numbers(project)).toEqual([...Array.from({ length: 20 }, (_, n) => 23 - n), 2])
  expect((await getApp(ctx, { project_id, app: 'site' })).app.current_release?.number).toBe(2)
  await expect(rollbackApp(ctx, { project_id, app: 'site', number: 3 })).rejects.toMatchObject({
    code: 'app_release_expired',
  })
  await expect(rollbackApp(ctx, { project_id, app: 'site', number: 99 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('files that no release names go after the window of backups, and shared ones stay', async () => {
  const project = await stage.project({
    'svc.yaml': manifest('  site: { type: static, path: site }'),
    'site/index.html': 'First of its own',
    'site/logo.svg': '<svg>shared by all of them</svg>',
  })
  await stage.settle(project)
  const [first] = (
    await listAppReleases(project.ctx, { project_id: project.project_id, app: 'site', limit: 1 })
  ).releases
  const files = await appReleases.files(stage.world.db, first?.release_id ?? '')
  const digest = (path: string) => files.find((file) => file.path === path)?.sha256 ?? ''
  for (let n = 2; n <= 22; n++) await change(project, `Its own ${n}`)
  days(8)
  await forget()
  expect(await numbers(project)).not.toContain(1)
  expect(await stored(digest('index.html'))).toBe(true)
  days(6)
  await forget()
  expect(await stored(digest('index.html'))).toBe(true)
  days(2)
  await forget()
  expect(await stored(digest('index.html'))).toBe(false)
  expect(await stored(digest('logo.svg'))).toBe(true)
  // Bytes that were there before are put anew.
  await change(project, 'First of its own')
  expect(await stored(digest('index.html'))).toBe(true)
})

test('an object that a release is about to name stays, and one that waits for its removal is put after it', async () => {
  const { db, clock } = stage.world
  const { objects } = stage.world.base
  const sha256 = 'a'.repeat(64)
  await objects.put(`apps/${sha256}`, Buffer.from('left by a worker that died'))
  await appObjects.claim(db, sha256, clock.now())
  await forget(0)
  expect(await stored(sha256)).toBe(true)
  clock.advance(3_700_000)
  let claimed = false
  let claiming: Promise<void> | undefined
  const taken = await db.transaction().execute(async (tx) => {
    const is = await appObjects.takeUnnamed(tx, sha256, clock.now())
    claiming = appObjects.claim(db, sha256, clock.now()).then(() => {
      claimed = true
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(claimed).toBe(false)
    await objects.delete(`apps/${sha256}`)
    return is
  })
  await claiming
  expect([taken, claimed, await stored(sha256)]).toEqual([true, true, false])
  // Young again: the release that claimed it has its time.
  await forget(0)
  expect(await appObjects.listUnnamed(db, new Date(clock.now().getTime() + 1), 10)).toContain(sha256)
})

test('releases of a preview go with it, after their days', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const cr = await project.propose('change', { 'site/index.html': 'Proposed' })
  const { release } = await releaseApp(ctx, { project_id, app: 'site', cr_id: cr.cr_id })
  await stage.settle(project)
  const [sha256 = ''] = await objectsOf(release.release_id)
  days(8)
  await forget()
  expect(await numbers(project)).toEqual([2, 1])
  await closeChangeRequest(ctx, { project_id, cr: cr.cr_id })
  await stage.settle(project)
  await forget()
  expect(await numbers(project)).toEqual([1])
  days(8)
  await forget()
  expect(await stored(sha256)).toBe(false)
})

test('an app whose entry is gone is forgotten after 30 days, and kept where it is back before', async () => {
  const project = await stage.project()
  await stage.settle(project)
  const { project_id, ctx } = project
  const address = { project_id, app: 'site' }
  const without = { 'svc.yaml': 'svc_version: 2\n' }
  const withIt = { 'svc.yaml': manifest('  site: { type: static, path: site }') }
  await project.commit('main', without)
  await stage.settle(project)
  const { app } = await getApp(ctx, address)
  expect(app.state).toBe('undeclared')
  days(29)
  await forget()
  await project.commit('main', withIt)
  await stage.settle(project)
  expect((await getApp(ctx, address)).app.app_id).toBe(app.app_id)
  await project.commit('main', without)
  await stage.settle(project)
  days(31)
  await forget()
  await expect(getApp(ctx, address)).rejects.toMatchObject({ code: 'not_found' })
  await project.commit('main', withIt)
  await stage.settle(project)
  expect((await getApp(ctx, address)).app).toMatchObject({ state: 'serving', current_release: { number: 1 } })
})
