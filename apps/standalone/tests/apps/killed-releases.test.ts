import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppPushes, openAppPushes, visitApp } from '../support/platform/app-pushes.ts'
import { type Deployment, startDeployment } from '../support/platform/deployment.ts'
import { type RedisServer, startRedis } from '../support/platform/redis.ts'
import { waitFor } from '../support/wait-for.ts'

/** Answers with its word a moment after its start, so that there is a time in which it is looked at. */
const server = (word: string) => `setTimeout(() => require('node:http')
  .createServer((request, response) => response.end('${word}')).listen(process.env.PORT), 1000)
`
const entry = `  api: { type: bundle, root: api, build_command: sleep 1, command: [node, server.js] }\n`

let database: TestDatabase
let redis: RedisServer
let deployment: Deployment
let project_id: string
let app: AppPushes
let url: string
let apps: ReturnType<typeof createClient>['projects']['apps']

beforeAll(async () => {
  ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
  deployment = await startDeployment({ database: () => database.connection_string, redis: redis.url })
  const token = (await readBootstrap(join(deployment.root, 'bootstrap.json')))?.token ?? ''
  const client = createClient({ api_url: `${deployment.origin}/v1`, token })
  const project = await client.projects.provision({ name: 'Killed' })
  ;({ project_id } = project)
  ;({ apps } = client.projects)
  app = await openAppPushes(client, project, { token, cwd: join(deployment.root, 'home/app') })
  await app.push({ 'api/server.js': server('0') }, entry)
  url = await app.live('api')
})
afterAll(async () => {
  await deployment?.stop()
  await redis?.close()
  await database?.close()
})

const release = async () => (await apps.get(project_id, 'api')).latest_release

// The pause after the status leads to different moments of the same step.
test.each([
  ['building', 0],
  ['building', 700],
  ['provisioning', 0],
  ['provisioning', 300],
  ['checking', 0],
  ['ready', 0],
] as const)(
  'a worker that is killed at %s and %d ms ends in one version that is live',
  async (status, pause) => {
    const before = (await apps.get(project_id, 'api')).current_release?.number ?? 0
    const [old, fresh] = [String(before - 1), String(before)]
    await waitFor('the version before is shown', async () => (await visitApp(url)) === old)
    const seen: string[] = []
    const watching = new AbortController()
    const visitor = (async () => {
      while (!watching.signal.aborted) {
        seen.push(await visitApp(url))
        await sleep(25)
      }
    })()
    await app.push({ 'api/server.js': server(fresh) })
    await waitFor(
      `the release is ${status}`,
      async () => {
        const found = await release()
        return found !== null && found.number > before && after(status).includes(found.status)
      },
      { every_ms: 10 },
    )
    await sleep(pause)
    const worker = deployment.service('app-worker')
    await worker.child.end('SIGKILL')
    const left = await release()
    const dead = (await apps.get(project_id, 'api')).current_release?.number
    expect([before, before + 1]).toContain(dead)
    // It takes a second at least from these to the end.
    if (status === 'building' || status === 'provisioning') expect(left?.status).not.toBe('ready')
    expect(await visitApp(url)).toBe(dead === before ? old : fresh)
    await deployment.start(worker)
    await waitFor('the release ends', async () => (await release())?.status === 'ready')
    await waitFor('it is shown', async () => (await visitApp(url)) === fresh)
    watching.abort()
    await visitor
    const { items } = await apps.rollouts(project_id, 'api')
    expect(items.filter(({ to_number }) => to_number === before + 1).length).toBeLessThan(2)
    // First the old one alone, then the new one alone: no visitor sees another, or goes back.
    expect([...new Set(seen)].filter((word) => word !== old && word !== fresh)).toEqual([])
    expect(seen.lastIndexOf(old)).toBeLessThan(seen.indexOf(fresh))
  },
)

const steps = ['queued', 'validating', 'building', 'provisioning', 'checking', 'ready']
/** A step may be over before it is asked for. */
const after = (status: string) => steps.slice(steps.indexOf(status))
