import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { metricsCatalogue } from '@svc/boot'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { readBootstrap } from '@svc/identity'
import { type Client, createClient, type Project, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  awaitTurn,
  bash,
  commitAndPush,
  promptAgent,
  script,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { greeter, openAppPushes, visitApp } from '../support/platform/app-pushes.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { type Deployment, type Service, startDeployment } from '../support/platform/deployment.ts'
import { git } from '../support/clients/git.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/platform/redis.ts'
import { makeRoleUrls } from '../support/platform/role-urls.ts'
import { run } from '../support/platform/run.ts'
import { waitFor } from '../support/wait-for.ts'

if (!hasRedis && process.env.CI) throw new Error('CI needs redis-server for these tests')
if (!hasRedis) console.warn('Skipped: redis-server is not installed')

const apps = [
  ...(['api', 'gateway', 'executor', 'scheduler', 'merge-worker', 'sandbox-worker'] as const),
  ...(['app-worker', 'app-proxy', 'channel-worker'] as const),
]

describe.skipIf(!hasRedis)('every service in a process of its own', () => {
  let database: TestDatabase
  let redis: RedisServer
  let deployment: Deployment
  let client: Client
  let token: string
  let project: Project
  let stopped = false

  beforeAll(async () => {
    ;[database, redis] = await Promise.all([testDatabase(), startRedis()])
    const roleUrls = await makeRoleUrls(database.connection_string, builtEntry('api'))
    deployment = await startDeployment({ database: roleUrls, redis: redis.url })
    token = (await readBootstrap(join(deployment.root, 'bootstrap.json')))?.token ?? ''
    client = createClient({ api_url: `${deployment.origin}/v1`, token })
  })
  afterAll(async () => {
    if (!stopped) await deployment?.stop()
    await redis?.close()
    await database?.close()
  })

  test.each(apps)('%s without its settings lists what is missing and ends with 1', async (app) => {
    const ended = await run(process.execPath, [builtEntry(app)])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('DATABASE_URL')
    expect(ended.stderr).toContain('SVC_INTERNAL_PORT')
    expect(ended.stderr).not.toContain('    at ')
  })

  test('each answers /healthz, /readyz and /metrics', async () => {
    for (const { name, internal, env } of deployment.services) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        expect((await fetch(internal + path)).status, `${name} ${path}`).toBe(path === '/metrics' ? 401 : 200)
        const headers = { authorization: `Bearer ${env['SVC_METRICS_TOKEN']}` }
        const answer = await fetch(internal + path, { headers })
        expect(answer.status, `${name} ${path}`).toBe(200)
        expect(await answer.text(), `${name} ${path}`).not.toBe('')
      }
    }
  })

  test('a store of objects that is away is named by each service that reads it, which works on when it is back', async () => {
    const store = join(deployment.root, 'repositories/objects')
    const failedOf = async (internal: string) =>
      Object(await (await fetch(`${internal}/readyz`)).json()).failed ?? []
    const reads = deployment.services.filter(({ app }) => app !== 'gateway')
    await rename(store, `${store} away`)
    for (const { name, internal } of reads) expect(await failedOf(internal), name).toEqual(['objects'])
    await rename(`${store} away`, store)
    for (const { name, internal } of reads) expect(await failedOf(internal), name).toEqual([])
  })

  test('the main job', async () => {
    project = await client.projects.provision({ name: 'Deployment' })
    const session = await client.projects.sessions.create(project.project_id, {
      initial_prompt: 'Add a file NOTES.md',
    })
    expect(await awaitTurn(client, session)).toMatchObject({ status: 'completed' })
    const { merge } = await client.projects.changeRequests.merge(project.project_id, '1')
    expect((await git(['ls-remote', project.repo_url, 'refs/heads/main'], { token })).slice(0, 40)).toBe(
      merge.base_sha_after,
    )
    await client.projects.sessions.stop(project.project_id, session.session_id)
  })

  let sessions: Session[]

  test('five sessions at once, on two workers', async () => {
    // The main job is done; from here on it is the services that count, and not the runtime.
    project = await piProject(client, token, 'Deployment on pi')
    const started = await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        startSession(client, project.project_id, [
          write(`file ${number}.txt`, `${number}\n`),
          commitAndPush(`Add ${number}`),
          bash(`svc cr open --title 'Add ${number}'`),
        ]),
      ),
    )
    for (const { turn } of started)
      expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    sessions = started.map(({ session }) => session)
    const running = await Promise.all(
      sessions.map(({ session_id }) => client.projects.sessions.get(project.project_id, session_id)),
    )
    expect(new Set(running.map(({ external_id }) => external_id)).size).toBe(5)
  })

  test('five merges into one base at once lose no commit', async () => {
    const { changeRequests } = client.projects
    const open = (await changeRequests.list(project.project_id, { status: 'open' })).items
    expect(open).toHaveLength(5)
    const merges = await Promise.all(open.map(({ cr_id }) => changeRequests.merge(project.project_id, cr_id)))
    expect(merges.map(({ change_request: { status } }) => status)).toEqual(Array(5).fill('merged'))
    const { entries } = await client.projects.files.list(project.project_id)
    for (const number of [1, 2, 3, 4, 5])
      expect(entries.map(({ path }) => path)).toContain(`file ${number}.txt`)
    expect(new Set(merges.map(({ merge }) => merge.base_sha_after)).size).toBe(5)
  })

  test('a Redis that forgets everything in the middle loses nothing', async () => {
    const [first, second] = sessions
    if (!first || !second) throw new Error('The sessions are missing')
    await client.projects.sessions.stop(project.project_id, first.session_id)
    const waking = promptAgent(client, first, bash('echo woken'))
    const working = promptAgent(
      client,
      second,
      write('late.txt', 'late\n'),
      commitAndPush('Late'),
      bash('svc cr open --title Late'),
    )
    const fresh = startSession(client, project.project_id, [bash('echo fresh')])
    const flushing = (async () => {
      for (let round = 0; round < 20; round += 1) await redis.flush()
    })()
    const [woken, worked, begun] = await Promise.all([waking, working, fresh, flushing])
    expect(woken.outputs.at(-1)).toContain('woken')
    expect(worked, worked.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect(begun.turn.outputs.at(-1)).toContain('fresh')

    const [late] = (await client.projects.changeRequests.list(project.project_id, { status: 'open' })).items
    const merging = client.projects.changeRequests.merge(project.project_id, late?.cr_id ?? '')
    await redis.flush()
    expect(await merging).toMatchObject({ change_request: { status: 'merged' } })
  })

  test('a sandbox outlives its worker, and the other one goes on with it', async () => {
    const session = await client.projects.sessions.create(project.project_id, {})
    const turn = promptAgent(
      client,
      session,
      bash('for i in 1 2 3 4 5 6; do sleep 0.5; done; echo still here'),
    )
    await Promise.all(
      ['sandbox-worker 1', 'sandbox-worker 2'].map(async (name) => {
        const service = deployment.service(name)
        const code = await service.child.end('SIGTERM')
        expect(code, service.child.stdout.slice(-2_000)).toBe(0)
        await deployment.start(service)
      }),
    )
    expect((await turn).outputs.at(-1)).toContain('still here')
    expect(await client.projects.sessions.stop(project.project_id, session.session_id)).toMatchObject({
      status: 'stopped',
    })
  })

  test('each line of a log is JSON with one key once, and the lines of a job name the request behind it', () => {
    const linesOf = (name: string) => deployment.service(name).child.stdout.split('\n').filter(Boolean)
    type Line = Readonly<Record<string, unknown>>
    for (const { name, app } of deployment.services)
      for (const line of linesOf(name)) {
        const read = JSON.parse(line) as Line
        expect(JSON.stringify(read).length, `a key twice: ${line}`).toBe(line.length)
        expect(read).toMatchObject({ name: app, level: expect.any(String), msg: expect.any(String) })
      }
    const found = (names: readonly string[], msg: string) =>
      names
        .flatMap(linesOf)
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line['msg'] === msg)
    const jobs = found(['merge-worker 1', 'merge-worker 2'], 'job')
    const [merge] = found(['api'], 'request').filter(({ route }) => String(route).endsWith('/merge'))
    expect(merge).toMatchObject({
      method: 'POST',
      status: 200,
      duration_ms: expect.any(Number),
      actor_type: 'user',
      actor_id: expect.any(String),
      token_id: expect.any(String),
      ip: '127.0.0.1',
      account_id: expect.any(String),
      project_id: expect.any(String),
      session_id: null,
    })
    expect(jobs.filter(({ request_id }) => request_id === merge?.['request_id'])).toMatchObject([
      { job: 'change-request.merge', attempt: 1 },
    ])
  })

  test('an app is shown by the proxy alone, and released by a worker that was killed and came back', async () => {
    const { project_id } = project
    const { apps } = client.projects
    const cwd = join(deployment.root, 'home/app')
    const { push, live } = await openAppPushes(client, project, { token, cwd })
    const shows = (url: string, page: string) =>
      waitFor(`the proxy shows ${page}`, async () => (await visitApp(url)) === page)
    await push({ 'site/index.html': 'One' }, '  site: { type: static, path: site }\n')
    const url = await live('site')
    await shows(url, 'One')
    const worker = deployment.service('app-worker')
    await worker.child.end('SIGKILL')
    await push({ 'site/index.html': 'Two' })
    await deployment.start(worker)
    await shows(url, 'Two')
    const api = deployment.service('api')
    expect(await api.child.end('SIGTERM')).toBe(0)
    expect(await visitApp(url)).toBe('Two')
    await deployment.start(api)
    await client.projects.secrets.set(project_id, 'WORD', 'hello')
    await push(
      { 'api/server.js': greeter },
      '  api: { type: bundle, path: api, command: [node, server.js], secrets: { WORD: WORD } }\n',
    )
    const runs = await live('api')
    await shows(runs, 'hello 1')
    // It outlives the worker that started it, and the next one looks after it.
    await worker.child.end('SIGKILL')
    expect(await visitApp(runs)).toBe('hello 1')
    await deployment.start(worker)
    await apps.stop(project_id, 'api')
    await waitFor('it is stopped', async () => (await apps.get(project_id, 'api')).instance === null)
    await apps.start(project_id, 'api')
    await shows(runs, 'hello 1')
    const entry = await apps.enter({ host: new URL(url).host })
    expect(entry.token).not.toBe('')
  })

  test('each shows the families that the catalogue says are its own, and no other', async () => {
    const families = async ({ internal, env }: Service) => {
      const headers = { authorization: `Bearer ${env['SVC_METRICS_TOKEN']}` }
      const text = await (await fetch(`${internal}/metrics`, { headers })).text()
      return [...text.matchAll(/^# TYPE (svc_[a-z_]+) /gm)].map(([, family = '']) => family).toSorted()
    }
    const ownOf = ({ app }: Service) =>
      metricsCatalogue
        .filter(({ owners }) => owners.some((owner) => owner === app))
        .map(({ name }) => name)
        .toSorted()
    const { services } = deployment
    const shown = await Promise.all(services.map(async (one) => [one.name, await families(one)] as const))
    expect(shown).toEqual(services.map((one) => [one.name, ownOf(one)]))
  })

  test('SIGTERM to all drains what runs and ends each with 0', async () => {
    const live = await client.projects.sessions.list(project.project_id, { status: 'running' })
    await Promise.all(
      live.items.map(({ session_id }) => client.projects.sessions.delete(project.project_id, session_id)),
    )
    const session = await client.projects.sessions.create(project.project_id, {
      initial_prompt: script(bash('echo bye')),
    })
    await awaitTurn(client, session)
    await client.projects.sessions.stop(project.project_id, session.session_id)
    stopped = true
    const codes = await deployment.stop()
    for (const { name, child } of deployment.services)
      expect(child.stdout + child.stderr, name).not.toContain('permission denied')
    expect(codes).toEqual(Object.fromEntries(deployment.services.map(({ name }) => [name, 0])))
  })
})
