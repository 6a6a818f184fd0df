import { apps } from '@svc/db'
import { SandboxError } from '@svc/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { getApp, listAppRollouts, rollbackApp } from '../src/index.ts'
import { bundle, instancesOf, openStage, type Stage, switchApps, visitFront } from '../src/testing/index.ts'
import { lookAfterInstances, reconcileApps, runRollout } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

/** Two releases that ran, of which the first sleeps. */
async function twoReleases(more = '') {
  const project = await stage.project(bundle('one', more))
  await stage.settle(project)
  await project.commit('main', bundle('two', more))
  await stage.settle(project)
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  const { ctx, project_id } = project
  const address = { project_id, app: 'api' }
  const last = async () => (await listAppRollouts(ctx, { ...address, limit: 1 })).rollouts[0]
  const shown = async () => (await getApp(ctx, address)).app.current_release?.number
  const live = async () =>
    (await instancesOf(stage.world.db, project_id)).filter(({ state }) => /starting|healthy/.test(state))
  return { project, ctx, project_id, address, last, shown, live }
}

/** Programs of which none can be started. */
const none = (error: Error) => ({ ...stage.programs, create: () => Promise.reject(error) })

test('a release that does not come up again takes no traffic, and what is shown goes on answering', async () => {
  const { ctx, address, last, shown, live } = await twoReleases()
  const { rollout } = await rollbackApp(ctx, address)
  const programs = none(new SandboxError('capacity', 'No room on this machine'))
  await runRollout(stage.worker({ programs }), rollout)
  expect(await last()).toMatchObject({ status: 'failed', error: 'No room on this machine' })
  expect(await shown()).toBe(2)
  const [instance, ...others] = await live()
  expect(others).toEqual([])
  expect(await visitFront(instance)).toBe('two of release 2')
})

test('a move whose worker is killed once its target answers is ended by the next one, and made once', async () => {
  const { project_id, ctx, address, last, shown, live } = await twoReleases()
  const { rollout } = await rollbackApp(ctx, address)
  const killed = new AbortController()
  const onStep = async (at: string) => {
    if (at !== 'rollback ready') return
    killed.abort(new Error('Killed'))
    throw killed.signal.reason
  }
  await runRollout(stage.worker({ onStep }, killed.signal), rollout).catch(() => undefined)
  expect([killed.signal.aborted, await shown(), (await last())?.status]).toEqual([true, 2, 'starting'])
  await runRollout(stage.worker(), rollout)
  await runRollout(stage.worker(), rollout)
  expect([await shown(), (await last())?.status]).toEqual([1, 'drained'])
  const [instance, ...others] = await live()
  expect([await visitFront(instance), others]).toEqual(['one of release 1', []])
  const channel = (await apps.findChannel(stage.world.db, {
    ...{ app_id: instance?.app_id ?? '', kind: 'production', cr_id: null },
  })) ?? { seq: 0 }
  expect([channel.seq, (await instancesOf(stage.world.db, project_id)).length]).toEqual([3, 3])
})

test.each([
  ['apps are switched off', 'switched off'],
  ['its entry goes', 'gone from the manifest'],
])('a move that waits is cancelled when %s', async (what, why) => {
  const { project, project_id, ctx, address, last } = await twoReleases()
  const { rollout } = await rollbackApp(ctx, address)
  if (what === 'its entry goes') {
    await project.commit('main', { 'svc.yaml': 'svc_version: 2\n' })
    await reconcileApps(stage.worker(), { project_id })
  } else await switchApps(stage.world, project, false)
  await runRollout(stage.worker(), rollout)
  await switchApps(stage.world, project, true)
  expect(await last()).toMatchObject({ status: 'cancelled', error: expect.stringContaining(why) })
  expect((await last())?.finished_at).not.toBeNull()
})

test('a move that meets what does not pass is tried again, and given up before it is in the way for ever', async () => {
  const { ctx, address, last, shown } = await twoReleases()
  const { rollout } = await rollbackApp(ctx, address)
  const worker = stage.worker({ programs: none(new SandboxError('network', 'The engine is away')) })
  await expect(runRollout(worker, rollout)).rejects.toThrow('The engine is away')
  expect((await last())?.status).toBe('starting')
  await expect(rollbackApp(ctx, address)).rejects.toMatchObject({ code: 'app_rollout_in_progress' })
  stage.world.clock.advance(16 * 60_000)
  await runRollout(worker, rollout)
  expect(await last()).toMatchObject({ status: 'failed', error: expect.stringContaining('15 minutes') })
  await rollbackApp(ctx, address)
  expect(await shown()).toBe(2)
})

test('no move is made to a program whose app spent its cap', async () => {
  const { ctx, address, last } = await twoReleases(', monthly_budget_usd: 5')
  const before = await last()
  const { app_id } = (await getApp(ctx, address)).app
  const month = `${stage.world.clock.now().toISOString().slice(0, 7)}-01`
  await stage.world.db
    .insertInto('app_months')
    .values({ app_id, month, seconds: 1, cost_micros: 5_000_000 })
    .onConflict((conflict) => conflict.columns(['app_id', 'month']).doUpdateSet({ cost_micros: 5_000_000 }))
    .execute()
  await expect(rollbackApp(ctx, address)).rejects.toMatchObject({
    code: 'budget_exceeded',
    details: { app: 'api' },
  })
  expect(await last()).toEqual(before)
})
