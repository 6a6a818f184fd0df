import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { getApp, updateApp } from '@svc/apps'
import { bundle, instancesOf, openStage, type Stage } from '@svc/apps/testing'
import { lookAfterInstances, reconcileApps, wakeRelease } from '@svc/apps/work'
import { createLogger } from '@svc/boot'
import { DatabaseListener } from '@svc/db'
import type { TestProject } from '@svc/services/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RunningAppProxy } from '../src/serve-visits.ts'
import { startAppProxy } from '../src/start.ts'

let stage: Stage
let proxy: RunningAppProxy
let listener: DatabaseListener
let project: TestProject
/** While false, nothing starts what was woken. */
let wakes: boolean

beforeAll(async () => {
  stage = await openStage({ running: true })
  listener = new DatabaseListener(stage.world.connection_string)
  listener.subscribe('app_wake', (payload) => {
    if (payload !== null && wakes) void wakeRelease(stage.worker(), payload)
  })
  const { db, base, clock } = stage.world
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  proxy = await startAppProxy(
    {
      ...{ db, listener, objects: base.objects, public_url: undefined, log, wake_ms: 1500 },
      ...{ apps_url: 'http://apps.example.test:7703', now: () => clock.now().getTime() },
    },
    { host: '127.0.0.1', port: 0 },
  )
  return () => stage.programs.close()
})
afterAll(async () => {
  await proxy.close(AbortSignal.abort())
  await listener.close()
})

beforeEach(async () => {
  wakes = true
  project = await stage.project(bundle('one', ', idle_timeout_seconds: 120'))
})

const address = () => ({ project_id: project.project_id, app: 'api' })
const count = async () => (await instancesOf(stage.world.db, project.project_id)).length

async function visit(path = '/', method = 'GET') {
  const { host } = new URL((await getApp(project.ctx, address())).app.url ?? '')
  const asked = request({ port: proxy.port, path, method, headers: { host }, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const said = await text(answer)
  const code = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(said).code : null
  return { status: answer.statusCode, code, text: said, retry_after: answer.headers['retry-after'] }
}

async function begin() {
  await stage.settle(project)
  await updateApp(project.ctx, { ...address(), access_mode: 'public' })
  await expect.poll(async () => (await visit()).status).toBe(200)
}

it('says that an app without a release is on its way', async () => {
  await reconcileApps(stage.worker(), { project_id: project.project_id })
  expect(await visit()).toMatchObject({ status: 503, code: 'app_starting', retry_after: '5' })
})

it('tells a program that it took too long, and when to ask again', async () => {
  await begin()
  stage.world.clock.advance(125_000)
  await lookAfterInstances(stage.worker())
  wakes = false
  await expect.poll(async () => (await getApp(project.ctx, address())).app.state).toBe('asleep')
  const before = await count()
  expect(await visit('/', 'POST')).toMatchObject({ status: 503, code: 'app_starting', retry_after: '2' })
  expect(await count()).toBe(before + 1)
})

it('says why an app failed, tries it once more half a minute later, and with a visitor alone', async () => {
  await begin()
  for (let ends = 1; ends <= 5; ends += 1) {
    await visit('/crash').catch(() => undefined)
    await lookAfterInstances(stage.worker())
  }
  await expect
    .poll(
      async () => {
        await visit('/crash').catch(() => undefined)
        await lookAfterInstances(stage.worker())
        return (await getApp(project.ctx, address())).app.state
      },
      { timeout: 15_000 },
    )
    .toBe('failed')
  await expect.poll(async () => (await visit()).code).toBe('app_failed')
  const failed = await visit()
  expect([failed.status, failed.retry_after]).toEqual([503, '30'])
  expect(failed.text).toContain('It ended 5 times')
  const before = await count()
  stage.world.clock.advance(29_000)
  await lookAfterInstances(stage.worker())
  expect([(await visit()).code, await count()]).toEqual(['app_failed', before])
  stage.world.clock.advance(2_000)
  await lookAfterInstances(stage.worker())
  expect(await count()).toBe(before)
  await expect.poll(async () => (await visit()).text).toBe('one of release 1')
  expect(await count()).toBe(before + 1)
}, 60_000)
