import { appInstances, appReleases, apps } from '@svc/db'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { getApp, getAppRelease, readAppLog, releaseApp, rollbackApp, stopApp } from '../src/index.ts'
import { bundle, eventsOf, instancesOf, openStage, type Stage, visitFront } from '../src/testing/index.ts'
import { lookAfterInstances, removeStrays, settleInstances, wakeRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

const appOf = async ({ ctx, project_id }: Awaited<ReturnType<Stage['project']>>) =>
  (await getApp(ctx, { project_id, app: 'api' })).app

test('a bundle that is merged answers, and its release is shown', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await stage.settle(project)
  const { release } = await getAppRelease(ctx, { project_id, app: 'api', number: '1' })
  expect(release).toMatchObject({
    status: 'ready',
    current: true,
    failure: null,
    artifact: { kind: 'archive', files: 1 },
  })
  const [instance, ...others] = await instancesOf(stage.world.db, project_id)
  expect(others).toEqual([])
  expect(instance?.state).toBe('healthy')
  expect(await visitFront(instance)).toBe('one of release 1')
  expect(await appOf(project)).toMatchObject({
    state: 'serving',
    instance: { state: 'healthy', restarts: 0 },
  })
  await lookAfterInstances(stage.worker())
  const { lines } = await readAppLog(ctx, { project_id, app: 'api', source: 'app', after: 0, limit: 100 })
  expect(lines.map(({ line }) => line)).toEqual(['listens with nothing'])
})

test('a release that does not come up takes no traffic, and says its last words', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await stage.settle(project)
  await project.commit('main', { 'api/server.js': 'console.error("no such luck"); process.exit(3)' })
  await stage.settle(project)
  const { release } = await getAppRelease(ctx, { project_id, app: 'api', number: '2' })
  expect(release.status).toBe('failed')
  expect(release.failure).toMatchObject({ category: 'start', step: 'provisioning', retryable: false })
  expect(release.failure?.message).toContain('no such luck')
  expect((await appOf(project)).current_release?.number).toBe(1)
  const states = (await instancesOf(stage.world.db, project_id)).map(({ state }) => state)
  expect(states).toEqual(['healthy', 'failed'])
})

test('a later release takes over, and the earlier one ends', async () => {
  const project = await stage.project(bundle('one'))
  const { project_id } = project
  await stage.settle(project)
  await project.commit('main', bundle('two'))
  await stage.settle(project)
  const [old, now] = await instancesOf(stage.world.db, project_id)
  expect([old?.state, now?.state]).toEqual(['draining', 'healthy'])
  expect(await visitFront(now)).toBe('two of release 2')
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  expect((await appInstances.find(stage.world.db, old?.instance_id ?? ''))?.state).toBe('stopped')
  expect(await stage.programs.status(old?.external_id ?? '')).toBe('removed')
})

test('an app without visitors sleeps, and wakes as the same release', async () => {
  const project = await stage.project(bundle('one', ', idle_timeout_seconds: 120'))
  const { project_id } = project
  await stage.settle(project)
  stage.world.clock.advance(121_000)
  await lookAfterInstances(stage.worker())
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  expect(await appOf(project)).toMatchObject({ state: 'asleep', instance: null })
  const release_id = (await appOf(project)).current_release?.release_id ?? ''
  const release = await appReleases.find(stage.world.db, release_id)
  if (release === undefined) throw new Error('No release')
  const want = () =>
    appInstances.want(stage.world.db, {
      ...{ instance_id: stage.world.base.newId(), release, now: stage.world.clock.now() },
      account_id: project.account_id,
    })
  const all = await Promise.all(Array.from({ length: 50 }, want))
  expect(new Set(all.map((one) => one?.instance_id)).size).toBe(1)
  await Promise.all([
    wakeRelease(stage.worker(), { release_id }),
    wakeRelease(stage.worker(), { release_id }),
  ])
  const awake = await appInstances.findLive(stage.world.db, release_id)
  expect(await visitFront(awake)).toBe('one of release 1')
  expect(await eventsOf(stage.world.db, project_id)).toContain('app.slept')
  expect(await eventsOf(stage.world.db, project_id)).toContain('app.woke')
})

test('a rollback starts its target first', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await stage.settle(project)
  await project.commit('main', bundle('two'))
  await stage.settle(project)
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  await rollbackApp(ctx, { project_id, app: 'api' })
  await stage.settle(project)
  expect((await appOf(project)).current_release?.number).toBe(1)
  const live = (await instancesOf(stage.world.db, project_id)).filter(({ state }) => state === 'healthy')
  expect(await Promise.all(live.map((one) => visitFront(one)))).toEqual(['one of release 1'])
})

test('a stopped app runs nothing', async () => {
  const project = await stage.project(bundle('one'))
  const { ctx, project_id } = project
  await stage.settle(project)
  await stopApp(ctx, { project_id, app: 'api' })
  await lookAfterInstances(stage.worker())
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  const [instance] = await instancesOf(stage.world.db, project_id)
  expect(instance?.state).toBe('stopped')
  expect(await removeStrays(stage.worker(), new Set())).toEqual(new Set())
})

test('a program that ends is started again and told of; one that ends again and again fails', async () => {
  const project = await stage.project(bundle('one'))
  const { project_id } = project
  await stage.settle(project)
  const [instance] = await instancesOf(stage.world.db, project_id)
  for (let ends = 1; ends <= 5; ends += 1) {
    await visitFront(instance, '/crash').catch(() => '')
    await expect
      .poll(async () => (await (await control()).state(AbortSignal.timeout(5000))).exits, { timeout: 10_000 })
      .toBe(ends)
    await lookAfterInstances(stage.worker())
    if (ends < 5)
      await expect.poll(() => visitFront(instance).catch(() => ''), { timeout: 10_000 }).toContain('one')
  }
  const failed = await appInstances.find(stage.world.db, instance?.instance_id ?? '')
  expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('5 times') })
  expect((await eventsOf(stage.world.db, project_id)).filter((type) => type === 'app.crashed')).toHaveLength(
    5,
  )
  expect((await appOf(project)).state).toBe('failed')
  const outside = await stage.world.db
    .selectFrom('platform_events')
    .select('data')
    .where('project_id', '=', project_id)
    .where('type', '=', 'app.crashed')
    .execute()
  expect(outside).toHaveLength(5)
  expect(outside[0]?.data).toMatchObject({ app: 'api', number: 1 })

  async function control() {
    const { tokenOf } = await import('@svc/vault')
    const { dataKey } = await import('@svc/services')
    const { projects } = await import('@svc/db')
    const row = await projects.find(stage.world.db, project_id)
    if (row === undefined || instance === undefined) throw new Error('None')
    const token = tokenOf(dataKey(stage.world.base.vault, row), ['app-sandbox', instance.instance_id])
    const one = await stage.programs.control(instance.external_id ?? '', token)
    if (one === null) throw new Error('None')
    return one
  }
})

test('an instance whose sandbox is gone is replaced where visitors came, and else waits for one', async () => {
  const project = await stage.project(bundle('one'))
  const { project_id } = project
  await stage.settle(project)
  const [instance] = await instancesOf(stage.world.db, project_id)
  await appInstances.sawRequests(stage.world.db, [instance?.instance_id ?? ''], stage.world.clock.now())
  await stage.programs.lose(instance?.external_id ?? '')
  await lookAfterInstances(stage.worker())
  const [gone, next] = await instancesOf(stage.world.db, project_id)
  expect([gone?.state, next?.state]).toEqual(['gone', 'starting'])
  await wakeRelease(stage.worker(), { release_id: next?.release_id ?? '' })
  const live = await appInstances.findLive(stage.world.db, next?.release_id ?? '')
  expect(await visitFront(live)).toContain('one')
  // No visitor came for longer than it stays awake without one.
  stage.world.clock.advance(299_000)
  await stage.programs.lose(live?.external_id ?? '')
  await lookAfterInstances(stage.worker())
  expect((await instancesOf(stage.world.db, project_id)).map(({ state }) => state)).toEqual(['gone', 'gone'])
})

test('running costs money, counted once, up to the cap: then it stops, and no release is made', async () => {
  const project = await stage.project(bundle('one', ', monthly_budget_usd: 0.001'))
  const { ctx, project_id } = project
  await stage.settle(project)
  const app = await apps.find(stage.world.db, { project_id, name: 'api' })
  const untilCap: number[] = []
  const spent: number[] = []
  for (const advance of [36_000, 0, 40_000]) {
    stage.world.clock.advance(advance)
    await lookAfterInstances(stage.worker())
    await Promise.all([settleInstances(stage.worker()), settleInstances(stage.worker())])
    untilCap.push(await settleInstances(stage.worker()))
    spent.push((await appOf(project)).budget?.spent_micros ?? 0)
  }
  // 0.05 dollars an hour are 13.9 micro-dollars a second.
  expect(untilCap[1]).toBeCloseTo((1000 - (spent[1] ?? 0)) * 72, 3)
  expect(untilCap[2]).toBe(Infinity)
  const budget = (await appOf(project)).budget
  expect(budget).toMatchObject({ cap_micros: 1000 })
  expect(budget?.spent_micros).toBeGreaterThanOrEqual(1000)
  expect(budget?.spent_micros).toBeLessThan(1500)
  expect((await eventsOf(stage.world.db, project_id)).filter((type) => type === 'app.budget')).toHaveLength(3)
  await lookAfterInstances(stage.worker())
  stage.world.clock.advance(3000)
  await lookAfterInstances(stage.worker())
  expect((await instancesOf(stage.world.db, project_id)).map(({ state }) => state)).toEqual(['stopped'])
  expect((await appOf(project)).state).toBe('over_budget')
  await expect(releaseApp(ctx, { project_id, app: 'api' })).rejects.toMatchObject({
    code: 'budget_exceeded',
    details: { app: 'api', budget: { level: 'app', budget_id: null, period: 'month' }, cap_micros: 1000 },
  })
  expect(app?.budget_micros).toBe(1000)
})

test('a program of an account that cannot pay stops, and is released and moved to again once it can', async () => {
  const { db, clock } = stage.world
  const project = await stage.project(bundle('one'))
  const { ctx, project_id, account_id } = project
  await stage.settle(project)
  const account = { account_id, created_at: clock.now(), updated_at: clock.now(), granted_month: null }
  const plan = (set: { readonly billing?: 'none' | 'credit'; readonly gateway?: 'off' | 'managed' }) =>
    db.updateTable('plans').set(set).execute()
  const credit = (set: {
    readonly billing_state: 'active' | 'past_due' | 'exhausted'
    readonly balance_micros: number
  }) =>
    db
      .insertInto('credit_accounts')
      .values({ ...account, ...set })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(set))
      .execute()
  const before = await db.selectFrom('plans').select(['tier', 'billing', 'gateway']).execute()
  onTestFinished(async () => {
    for (const { tier, ...set } of before)
      await db.updateTable('plans').set(set).where('tier', '=', tier).execute()
  })
  const states = async () => (await instancesOf(db, project_id)).map(({ state }) => state)
  const refused = async (code: string, billing_state: string, balance: number | null) => {
    await expect(releaseApp(ctx, { project_id, app: 'api' })).rejects.toMatchObject({
      ...{ code, details: { account_id, billing_state, balance } },
    })
    await lookAfterInstances(stage.worker())
    clock.advance(3000)
    await lookAfterInstances(stage.worker())
  }

  await lookAfterInstances(stage.worker())
  expect(await states()).toEqual(['healthy'])
  await plan({ billing: 'credit', gateway: 'off' })
  await refused('subscription_required', 'none', null)
  expect(await states()).toEqual(['stopped'])
  await plan({ gateway: 'managed' })
  await refused('no_account', 'none', null)
  await credit({ billing_state: 'exhausted', balance_micros: 0 })
  await refused('insufficient_credits', 'exhausted', 0)
  await credit({ billing_state: 'past_due', balance_micros: 5 })
  await refused('insufficient_credits', 'past_due', 5)

  await credit({ billing_state: 'active', balance_micros: 5 })
  const { release } = await releaseApp(ctx, { project_id, app: 'api' })
  await credit({ billing_state: 'active', balance_micros: -1 })
  await stage.settle(project)
  const { failure } = (await appReleases.find(db, release.release_id)) ?? {}
  expect(failure).toMatchObject({ category: 'budget', message: expect.stringContaining('add credit') })
  await plan({ billing: 'none' })
  await releaseApp(ctx, { project_id, app: 'api' })
  await stage.settle(project)
  expect((await states()).at(-1)).toBe('healthy')
})
