import { buffer } from 'node:stream/consumers'
import { projects, secrets } from '@svc/db'
import { dumpTables } from '@svc/db/testing'
import { sealFor } from '@svc/services'
import type { TestProject } from '@svc/services/testing'
import { beforeAll, expect, test } from 'vitest'
import { getAppRelease, readAppEnv, readAppEvents, readAppLog, rollbackApp } from '../src/index.ts'
import {
  bundleManifest,
  instancesOf,
  openStage,
  type Stage,
  userOf,
  visitFront,
} from '../src/testing/index.ts'
import { lookAfterInstances, reconcileApps, runRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

const marked = 'a-marked-value-that-is-nowhere'

async function setSecret({ project_id, owner }: TestProject) {
  const { db, base, clock } = stage.world
  const row = await projects.find(db, project_id)
  if (row === undefined) throw new Error('No project')
  const [created_at, updated_at] = [clock.now(), clock.now()]
  const sealed_value = sealFor(base.vault, row, 'API_KEY', marked)
  const created_by = userOf(owner.principal)
  await secrets.put(db, { project_id, name: 'API_KEY', sealed_value, created_by, created_at, updated_at })
}

async function allObjects(): Promise<string> {
  const { objects } = stage.world.base
  const texts = []
  for await (const { key } of objects.list('')) {
    const body = await objects.get(key)
    texts.push(key, body === null ? '' : (await buffer(body)).toString('latin1'))
  }
  return texts.join('\n')
}

/** Says its secret in its log, at its end and where it does not come up. */
const server = (ends: boolean) => `
console.log('the key is ' + process.env.KEY)
if (${ends}) { console.error('no luck with ' + process.env.KEY); process.exit(4) }
require('node:http').createServer((request, response) => {
  if (request.url === '/crash') { console.error('crashed with ' + process.env.KEY); process.exit(7) }
  response.end(String(process.env.KEY))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

test('the value of a secret is in no row, job, log, event or artifact, whatever its program does with it', async () => {
  const project = await stage.project({
    'svc.yaml': bundleManifest(', secrets: { KEY: API_KEY }').replace(
      'path: api',
      'root: api, build_command: env > env.txt',
    ),
    'api/server.js': server(false),
  })
  const { ctx, project_id } = project
  await setSecret(project)
  const jobs: unknown[] = []
  const worker = () => {
    const one = stage.worker()
    const enqueue: typeof one.enqueue = async (...asked) => {
      jobs.push(asked)
      return one.enqueue(...asked)
    }
    return { ...one, enqueue }
  }
  await reconcileApps(worker(), { project_id })
  await stage.settle(project)
  const [instance] = await instancesOf(stage.world.db, project_id)
  expect(await visitFront(instance)).toBe(marked)
  await visitFront(instance, '/crash').catch(() => '')
  const events = async () =>
    (await readAppEvents(ctx, { project_id, app: 'api', after: 0, limit: 500 })).events
  await expect
    .poll(async () => {
      await lookAfterInstances(worker())
      return (await events()).map(({ type }) => type)
    })
    .toContain('app.crashed')

  await project.commit('main', { 'api/server.js': server(true) })
  await reconcileApps(worker(), { project_id })
  await stage.settle(project)
  const { release } = await getAppRelease(ctx, { project_id, app: 'api', number: '2' })
  expect(release.failure?.message).toContain('no luck with [API_KEY]')
  await runRelease(worker(), release)
  await rollbackApp(ctx, { project_id, app: 'api', number: 1 })
  await stage.settle(project)

  const { lines } = await readAppLog(ctx, { project_id, app: 'api', after: 0, limit: 500 })
  expect(lines.map(({ line }) => line)).toContain('crashed with [API_KEY]')
  const { env } = await readAppEnv(ctx, { project_id, app: 'api' })
  expect(env).toContainEqual({ name: 'KEY', source: 'secret', secret: 'API_KEY', configured: true })
  const rows = [...(await dumpTables(stage.world.db)).values()].join('\n')
  expect(rows).toContain('the key is [API_KEY]')
  const objects = await allObjects()
  expect(objects).toContain('env.txt')
  const said = { jobs, release, env, lines, events: await events() }
  for (const text of [rows, objects, JSON.stringify(said)]) {
    expect(text).not.toContain(marked)
    // Bytes are dumped so.
    expect(text).not.toContain(Buffer.from(marked).toString('hex'))
  }
})
