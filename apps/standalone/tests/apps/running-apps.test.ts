import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { bash, commitAndPush, startSession, write } from '../support/sessions/agent.ts'
import { waitFor } from '../support/wait-for.ts'

const manifest = `apps:
  api:
    type: bundle
    path: api
    command: [node, server.js]
    env: { GREETING: hello }
    secrets: { KEY: API_KEY }
  site:
    type: static
    root: web
    build_command: mkdir -p dist && echo '<h1>Built</h1>' > dist/index.html && cp logo.txt dist/
`
const server = (word: string) => `
const { createServer } = require('node:http')
createServer((request, response) => {
  if (request.url === '/crash') process.exit(7)
  response.end(process.env.GREETING + ' ${word} ' + process.env.SVC_RELEASE + ' ' + (process.env.KEY ?? '').length)
}).listen(process.env.PORT, () => console.log('the key is ' + process.env.KEY))
`
const secret = 'correct-horse-battery-staple'

let place: Place
let platform: Platform
let project_id: string

beforeAll(async () => {
  place = await makeBegunPlace()
  platform = await startOn(place)
  project_id = (await platform.client.projects.provision({ name: 'Shop', seed_starter: true })).project_id
  await platform.client.projects.features.set(project_id, { apps: true })
  await platform.client.projects.secrets.set(project_id, 'API_KEY', secret)
})
afterAll(async () => {
  await platform?.stop()
  await place?.remove()
})

async function merge(title: string, steps: Parameters<typeof startSession>[2]): Promise<void> {
  const { client } = platform
  await startSession(client, project_id, [
    ...steps,
    commitAndPush(title),
    bash(`svc cr open --title '${title}'`),
  ])
  const { items } = await client.projects.changeRequests.list(project_id, { status: 'open' })
  const cr = items.find((one) => one.title === title)
  if (cr === undefined) throw new Error(`${title} was not opened`)
  await client.projects.changeRequests.merge(project_id, cr.cr_id, {
    expected_head_sha: cr.head_commit_sha ?? '',
  })
}

const appOf = (name: string) => platform.client.projects.apps.get(project_id, name)

async function visit(name: string, path = '/', method = 'GET'): Promise<{ status: number; body: string }> {
  const { host, port } = new URL((await appOf(name)).url ?? '')
  const asked = request({ port, path, method, host: '127.0.0.1', headers: { host }, agent: false }).end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode, body: await text(answer) }
}

const shows = async (name: string, number: number) => {
  await waitFor(`${name} shows release ${number}`, async () => {
    const { current_release, latest_release } = await appOf(name)
    if (latest_release?.status === 'failed') throw new Error(latest_release.failure?.message)
    return current_release?.number === number
  })
}

describe('an app that runs', () => {
  test('is live after its merge, sleeps when it is stopped, wakes with a visitor, and goes back', async () => {
    const { client } = platform
    await merge('First', [
      write('apps.yaml', manifest),
      bash('cat apps.yaml >> svc.yaml && rm apps.yaml'),
      write('api/server.js', server('one')),
      write('web/logo.txt', 'logo'),
    ])
    await shows('api', 1)
    await shows('site', 1)
    for (const name of ['api', 'site'])
      await client.projects.apps.update(project_id, name, { access_mode: 'public' })
    await waitFor('it answers', async () => (await visit('api')).status === 200)
    expect((await visit('api')).body).toBe(`hello one 1 ${secret.length}`)
    expect((await visit('site')).body).toContain('Built')
    expect((await visit('site', '/logo.txt')).body).toContain('logo')
    await waitFor('its log', async () => {
      const { lines } = await client.projects.apps.readLog(project_id, 'api', { source: 'app' })
      return lines.some(({ line }) => line === 'the key is [API_KEY]')
    })

    await client.projects.apps.stop(project_id, 'api')
    await waitFor('it is stopped', async () => (await visit('api')).status === 503)
    await waitFor('nothing runs', async () => (await appOf('api')).instance === null)
    await client.projects.apps.start(project_id, 'api')
    await waitFor('it wakes', async () => (await visit('api', '/', 'POST')).status === 200)
    expect((await appOf('api')).instance).toMatchObject({ state: 'healthy' })

    await merge('Second', [write('api/server.js', server('two'))])
    await shows('api', 2)
    await waitFor('the second', async () => (await visit('api')).body.startsWith('hello two 2'))
    expect((await appOf('site')).latest_release?.number).toBe(1)
    await client.projects.apps.rollback(project_id, 'api', {})
    await waitFor('the first again', async () => (await visit('api')).body.startsWith('hello one 1'))
    const { months } = await client.projects.apps.usage(project_id, 'api')
    expect(months.every(({ seconds }) => seconds >= 0)).toBe(true)

    await merge('Third', [bash("sed -i '/^apps:/,$d' svc.yaml")])
    await waitFor('it is gone', async () => (await visit('api')).status === 404)
    expect((await appOf('api')).declared).toBe(false)
  }, 500_000)
})
