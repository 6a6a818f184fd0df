import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { getApp, readAppMetrics, readAppUsage, updateApp } from '@svc/apps'
import { bundle, instancesOf, openStage, type Stage } from '@svc/apps/testing'
import { lookAfterInstances, wakeRelease } from '@svc/apps/work'
import { createLogger } from '@svc/boot'
import { DatabaseListener } from '@svc/db'
import type { TestProject } from '@svc/services/testing'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { RunningAppProxy } from '../src/serve-visits.ts'
import { startAppProxy } from '../src/start.ts'

let stage: Stage
let proxy: RunningAppProxy
let listener: DatabaseListener
let project: TestProject
let host: string
/** While false, nothing starts what was woken. */
let wakes = true
const agent = new Agent({ keepAlive: true, maxSockets: 200 })

beforeAll(async () => {
  stage = await openStage({ running: true })
  listener = new DatabaseListener(stage.world.connection_string)
  listener.subscribe('app_wake', (payload) => {
    if (payload !== null && wakes) void wakeRelease(stage.worker(), payload)
  })
  const { db, base } = stage.world
  proxy = await startAppProxy(
    {
      ...{
        db,
        listener,
        objects: base.objects,
        apps_url: 'http://apps.example.test:7703',
        public_url: undefined,
      },
      now: () => stage.world.clock.now().getTime(),
      wake_ms: 15_000,
      log: createLogger({ name: 'app-proxy', level: 'fatal' }),
    },
    { host: '127.0.0.1', port: 0 },
  )
  return () => stage.programs.close()
})
afterAll(async () => {
  agent.destroy()
  await proxy.close(AbortSignal.abort())
  await listener.close()
})

beforeEach(async () => {
  wakes = true
  project = await stage.project(bundle('one', ', idle_timeout_seconds: 120'))
  await stage.settle(project)
  const { app } = await getApp(project.ctx, address())
  host = new URL(app.url ?? '').host
  await updateApp(project.ctx, { ...address(), access_mode: 'public', max_concurrency: 2000 })
  await expect.poll(async () => (await visit()).status).toBe(200)
})

const address = () => ({ project_id: project.project_id, app: 'api' })

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

async function visit(path = '/', { method = 'GET', headers = {}, body }: Asked = {}) {
  const asked = request({ port: proxy.port, path, method, agent, headers: { host, ...headers } }).end(body)
  const [answer] = await once(asked, 'response')
  return { status: Number(answer.statusCode), headers: answer.headers, text: await text(answer) }
}

async function fallAsleep() {
  const count = (await instancesOf(stage.world.db, project.project_id)).length
  // Visits are written down every two seconds.
  await expect
    .poll(
      async () => {
        stage.world.clock.advance(125_000)
        await lookAfterInstances(stage.worker())
        return (await instancesOf(stage.world.db, project.project_id)).at(-1)?.state
      },
      { timeout: 15_000, interval: 1000 },
    )
    .toMatch(/draining|stopped/)
  await expect.poll(async () => (await getApp(project.ctx, address())).app.state).toBe('asleep')
  return count
}

it('forwards to the instance, with its own headers and none of the proxy’s', async () => {
  expect(await visit('/env')).toMatchObject({ status: 200 })
  const { SVC_APP, SVC_RELEASE, DATABASE_URL } = JSON.parse((await visit('/env')).text)
  expect([SVC_APP, SVC_RELEASE, DATABASE_URL]).toEqual(['api', '1', undefined])
})

it('holds 1,000 requests of a sleeping app, starts one instance, and answers each', async () => {
  const before = await fallAsleep()
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, n) =>
      n % 2 === 0 ? visit() : visit('/', { method: 'POST', body: `${n}` }),
    ),
  )
  expect(new Set(answers.map(({ status, text: said }) => `${status} ${said}`))).toEqual(
    new Set(['200 one of release 1']),
  )
  expect(await instancesOf(stage.world.db, project.project_id)).toHaveLength(before + 1)
})

it('shows a person a page meanwhile, and wakes nothing ahead', async () => {
  await fallAsleep()
  wakes = false
  const count = async () => (await instancesOf(stage.world.db, project.project_id)).length
  const before = await count()
  const ahead = await visit('/', { headers: { accept: 'text/html', 'sec-purpose': 'prefetch' } })
  expect([ahead.status, await count()]).toEqual([503, before])
  await visit('/.svc/enter?code=x')
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  expect(await visit('/.svc/socket', { headers: upgrade })).toMatchObject({ status: 400 })
  expect(await count()).toBe(before)
  const page = await visit('//elsewhere.example/', { headers: { accept: 'text/html' } })
  expect(page.text).not.toContain('elsewhere')
  expect([page.status, page.headers['retry-after']]).toEqual([202, '2'])
  expect(page.text).toContain('This app is starting')
  expect(await count()).toBe(before + 1)
})

it('wakes nothing for those who may not look', async () => {
  await updateApp(project.ctx, { ...address(), access_mode: 'private' })
  const before = await fallAsleep()
  await expect.poll(async () => (await visit()).status).toBe(401)
  expect(await instancesOf(stage.world.db, project.project_id)).toHaveLength(before)
})

it('waits for a program that is started again after a crash', async () => {
  await visit('/crash').catch(() => undefined)
  expect(await visit()).toMatchObject({ status: 200, text: 'one of release 1' })
})

it('answers each visitor while release follows release', async () => {
  let over = false
  const seen: number[] = []
  const answers = new Map<number, number>()
  const visitor = async () => {
    while (!over) {
      const { status, text: said } = await visit()
      answers.set(status, (answers.get(status) ?? 0) + 1)
      seen.push(Number(/release (\d+)/.exec(said)?.[1]))
    }
  }
  const visitors = Array.from({ length: 10 }, visitor)
  for (const word of ['two', 'three']) {
    await project.commit('main', bundle(word, ', idle_timeout_seconds: 120'))
    await stage.settle(project)
    stage.world.clock.advance(3000)
    await lookAfterInstances(stage.worker())
  }
  await expect.poll(() => seen.at(-1)).toBe(3)
  over = true
  await Promise.all(visitors)
  expect([...answers.keys()]).toEqual([200])
  // One proxy never goes back to an earlier version.
  expect(seen.filter((number, at) => at > 20 && number < (seen[at - 20] ?? 0))).toEqual([])
}, 60_000)

it('counts what was answered, and a wake once however many waited', async () => {
  await fallAsleep()
  await Promise.all(Array.from({ length: 20 }, () => visit()))
  await visit()
  const count = async () => (await readAppMetrics(project.ctx, { ...address(), window: '1h' })).metrics
  await expect.poll(async () => (await count()).wakes, { timeout: 15_000 }).toBeGreaterThan(0)
  const { p95_ms, requests, bytes_out, wakes, wake_ms } = await count()
  expect(p95_ms).toBeGreaterThan(0)
  expect([wakes, requests['2xx'] > 20]).toEqual([1, true])
  expect(wake_ms).toBeGreaterThan(5)
  const { months } = await readAppUsage(project.ctx, address())
  const answers = Object.values(requests).reduce((all, one) => all + one, 0)
  const sum = (key: 'requests' | 'bytes_out') => months.reduce((all, month) => all + month[key], 0)
  // Minutes are written down between the two reads as well.
  expect(sum('requests')).toBeGreaterThanOrEqual(answers)
  expect(sum('bytes_out')).toBeGreaterThanOrEqual(bytes_out)
})

it('refuses who visits an app whose account cannot pay, and says nothing of what it owns', async () => {
  const { db } = stage.world
  const before = await db.selectFrom('plans').select(['tier', 'billing', 'gateway']).execute()
  onTestFinished(async () => {
    for (const { tier, ...set } of before)
      await db.updateTable('plans').set(set).where('tier', '=', tier).execute()
  })
  const { account_id } = project
  const times = {
    created_at: stage.world.clock.now(),
    updated_at: stage.world.clock.now(),
    granted_month: null,
  }
  await db
    .insertInto('credit_accounts')
    .values({ account_id, ...times, billing_state: 'canceled', balance_micros: 7 })
    .execute()
  await db.updateTable('plans').set({ billing: 'credit', gateway: 'managed' }).execute()
  await expect.poll(async () => (await visit()).status).toBe(402)
  const refusal = JSON.parse((await visit()).text)
  expect(refusal).toMatchObject({
    code: 'insufficient_credits',
    billing_state: 'canceled',
    balance: null,
    account_id,
  })
  await db.updateTable('plans').set({ billing: 'none' }).execute()
  await expect.poll(async () => (await visit()).status).toBe(200)
})
