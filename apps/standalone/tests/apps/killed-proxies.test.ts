import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAppPushes } from '../support/platform/app-pushes.ts'
import { type Deployment, startDeployment } from '../support/platform/deployment.ts'
import { processesAt } from '../support/platform/processes.ts'
import { type RedisServer, startRedis } from '../support/platform/redis.ts'
import { waitFor } from '../support/wait-for.ts'

/** Takes its time for an answer, so that there is always one under way. */
const server = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => setTimeout(() => response.end('hello of ' + process.env.SVC_RELEASE), 30))
}).listen(process.env.PORT)
`

let database: TestDatabase
let redis: RedisServer
let deployment: Deployment
let project_id: string
let host: string
let apps: ReturnType<typeof createClient>['projects']['apps']

beforeAll(async () => {
  ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
  deployment = await startDeployment({ database: () => database.connection_string, redis: redis.url })
  const token = (await readBootstrap(join(deployment.root, 'bootstrap.json')))?.token ?? ''
  const client = createClient({ api_url: `${deployment.origin}/v1`, token })
  const project = await client.projects.provision({ name: 'Proxies' })
  ;({ project_id } = project)
  ;({ apps } = client.projects)
  const app = await openAppPushes(client, project, { token, cwd: join(deployment.root, 'home/app') })
  await app.push(
    { 'api/server.js': server },
    '  api: { type: bundle, path: api, command: [node, server.js] }\n',
  )
  ;({ host } = new URL(await app.live('api')))
  for (const name of proxies)
    await waitFor('each proxy shows it', async () => (await ask(name)) === 'hello of 1')
})
afterAll(async () => {
  await deployment?.stop()
  await redis?.close()
  await database?.close()
})

const proxies = ['app-proxy 1', 'app-proxy 2'] as const
type Proxy = (typeof proxies)[number]

async function ask(proxy: Proxy, method = 'GET'): Promise<string> {
  const port = deployment.service(proxy).env['SVC_PORT']
  const asked = request({ port, host: '127.0.0.1', headers: { host }, method, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const said = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${said}`)
  return said
}

const instance = async () => (await apps.get(project_id, 'api')).instance

test('of requests under way when a proxy is killed, each that is asked for at the other one is answered', async () => {
  const before = await instance()
  let over = false
  const answers: string[] = []
  const broken: Proxy[] = []
  const wrong: unknown[] = []
  /** As a balancer with health checks does: a proxy that broke off is asked again once it is back. */
  const visitor = async (number: number) => {
    let proxy: Proxy = number % 2 === 0 ? 'app-proxy 1' : 'app-proxy 2'
    while (!over) {
      try {
        answers.push(await ask(proxy))
      } catch (error) {
        broken.push(proxy)
        const other = proxy === 'app-proxy 1' ? 'app-proxy 2' : 'app-proxy 1'
        await ask(other).then(
          (said) => answers.push(said),
          (again: unknown) => wrong.push(error, again),
        )
        proxy = other
      }
    }
  }
  const visitors = Array.from({ length: 20 }, (_, number) => visitor(number))
  await sleep(500)
  const killed = deployment.service('app-proxy 1')
  await killed.child.end('SIGKILL')
  await sleep(500)
  await deployment.start(killed)
  await waitFor('it is there again', async () => (await ask('app-proxy 1')) === 'hello of 1')
  await sleep(500)
  over = true
  await Promise.all(visitors)
  expect(wrong).toEqual([])
  expect(new Set(answers)).toEqual(new Set(['hello of 1']))
  // Those of the other proxy noticed nothing.
  expect(new Set(broken)).toEqual(new Set(['app-proxy 1']))
  expect(broken.length).toBeLessThanOrEqual(10)
  // Nothing was started for it.
  expect((await instance())?.started_at).toBe(before?.started_at)
})

test('a program whose sandbox is gone is replaced by the same release, and visitors wait for that', async () => {
  const before = await instance()
  const services = deployment.services.map(({ child }) => child.pid)
  const found = await processesAt([join(deployment.root, 'programs', 'sbx_')])
  const members = found.filter(({ pid }) => !services.includes(pid))
  expect(members.length).toBeGreaterThan(0)
  for (const { pid } of members)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went with its first process.
    }
  // Connections that were open are seen to be closed; what is asked from here on reaches no program.
  await sleep(200)
  const held = await Promise.all([...proxies, ...proxies].map((proxy) => ask(proxy, 'POST')))
  expect(new Set(held)).toEqual(new Set(['hello of 1']))
  await waitFor('another runs', async () => {
    const now = await instance()
    return now?.state === 'healthy' && now.started_at !== before?.started_at
  })
  for await (const { type } of apps.events(project_id, 'api')) if (type === 'app.crashed') break
})
