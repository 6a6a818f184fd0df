import { SandboxError } from '@svc/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { getApp, getAppRelease } from '../src/index.ts'
import { bundle, eventsOf, instancesOf, openStage, type Stage } from '../src/testing/index.ts'
import { reconcileApps, runRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

test('work that breaks off three times ends its release, which may be asked for again', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await reconcileApps(stage.worker(), { project_id })
  const release = async () => (await getAppRelease(ctx, { project_id, app: 'api', number: '1' })).release
  const { release_id } = await release()
  const create = () => Promise.reject(new SandboxError('network', 'The engine is away'))
  const worker = stage.worker({ programs: { ...stage.programs, create } })
  for (const tries of [1, 2]) {
    await expect(runRelease(worker, { release_id })).rejects.toThrow('The engine is away')
    expect([tries, (await release()).status]).toEqual([tries, 'provisioning'])
  }
  await runRelease(worker, { release_id })
  expect(await release()).toMatchObject({
    status: 'failed',
    failure: { category: 'worker', step: 'provisioning', retryable: true },
  })
  expect(await eventsOf(stage.world.db, project_id)).toContain('app.release.failed')
})

test('a worker that dies in its work three times leaves a release that ends by itself', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await reconcileApps(stage.worker(), { project_id })
  const release = async () => (await getAppRelease(ctx, { project_id, app: 'api', number: '1' })).release
  const { release_id } = await release()
  for (let deaths = 0; deaths < 3; deaths += 1) {
    const killed = new AbortController()
    const onStep = async () => {
      killed.abort(new Error('Killed'))
      throw killed.signal.reason
    }
    await runRelease(stage.worker({ onStep }, killed.signal), { release_id }).catch(() => undefined)
    expect((await release()).status).not.toBe('failed')
  }
  await runRelease(stage.worker(), { release_id })
  expect((await release()).failure).toMatchObject({
    ...{ category: 'worker', message: expect.stringContaining('broke off 3 times') },
  })
})

test('an app whose cap is 0 never starts', async () => {
  const project = await stage.project(bundle('one', ', monthly_budget_usd: 0'))
  const { ctx, project_id } = project
  await stage.settle(project)
  const { release } = await getAppRelease(ctx, { project_id, app: 'api', number: '1' })
  expect([release.status, release.failure?.category]).toEqual(['failed', 'budget'])
  expect(await instancesOf(stage.world.db, project_id)).toEqual([])
  expect((await getApp(ctx, { project_id, app: 'api' })).app.state).toBe('failed')
})
