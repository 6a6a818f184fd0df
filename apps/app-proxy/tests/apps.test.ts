import { once } from 'node:events'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { enterApp, getApp, rollbackApp, stopApp, startApp, updateApp } from '@svc/apps'
import { manifest, openStage, type Stage, switchApps, userOf } from '@svc/apps/testing'
import { createLogger } from '@svc/boot'
import { DatabaseListener } from '@svc/db'
import { addMember, addOwner, type TestProject } from '@svc/services/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RunningAppProxy } from '../src/serve-visits.ts'
import { startAppProxy } from '../src/start.ts'

const apps_url = 'http://apps.example.test:7703'
let stage: Stage
let proxy: RunningAppProxy
let listener: DatabaseListener
let project: TestProject
let host: string

beforeAll(async () => {
  stage = await openStage()
  listener = new DatabaseListener(stage.world.connection_string)
  const { db, base } = stage.world
  proxy = await startAppProxy(
    {
      ...{ db, listener, objects: base.objects, apps_url, public_url: 'https://svc.example.test' },
      now: () => stage.world.clock.now().getTime(),
      log: createLogger({ name: 'app-proxy', level: 'fatal' }),
    },
    { host: '127.0.0.1', port: 0 },
  )
})
afterAll(async () => {
  await proxy.close(AbortSignal.abort())
  await listener.close()
})

beforeEach(async () => {
  project = await stage.project({
    'svc.yaml': manifest('  site: { type: static, path: site }'),
    'site/index.html': '<h1>One</h1>',
    'site/app-1a2b3c4d.js': 'one()',
  })
  await stage.settle(project)
  host = new URL((await shown()).url ?? '').host
})

const address = () => ({ project_id: project.project_id, app: 'site' })
const shown = async () => (await getApp(project.ctx, address())).app

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly at?: string
}

async function visit(path = '/', { method = 'GET', headers = {}, body, at = host }: Asked = {}) {
  const options = { port: proxy.port, path, method, agent: false, headers: { host: at, ...headers } }
  const [answer] = await once(request(options).end(body), 'response')
  const text = String(await buffer(answer))
  const json = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(text) : null
  return { status: answer.statusCode, headers: answer.headers, text, json }
}

/** The proxy is told by way of the database, which takes a moment. */
const eventually = (look: () => Promise<void>) =>
  expect.poll(() => look().then(() => true, String)).toBe(true)

async function open() {
  await updateApp(project.ctx, { ...address(), access_mode: 'public' })
  await eventually(async () => expect((await visit()).status).toBe(200))
}

it('shows a public site to all, and no other host anything', async () => {
  await open()
  const page = await visit()
  expect(page.text).toBe('<h1>One</h1>')
  expect(page.headers['cache-control']).toBe('public, no-cache')
  for (const at of [
    'apps.example.test:7703',
    'other--project.apps.example.test',
    'x.y.apps.example.test',
    'evil.test',
  ])
    expect((await visit('/', { at })).json).toMatchObject({ status: 404, code: 'app_not_found' })
})

it('is closed at first: a program is told where to enter, a browser is led there', async () => {
  const asked = await visit('/prices?a=1')
  expect(asked.status).toBe(401)
  expect(asked.json.code).toBe('app_auth_required')
  const enter = new URL(asked.json.enter_url)
  expect(enter.origin + enter.pathname).toBe('https://svc.example.test/dashboard/enter-app')
  expect(Object.fromEntries(enter.searchParams)).toEqual({ host, return: '/prices?a=1' })
  const page = await visit('/', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers['cache-control']]).toEqual([401, 'no-store'])
  expect(page.text).toContain('http-equiv="refresh"')
})

it('lets a person in by a link that opens once, and a machine by its token', async () => {
  const way = await enterApp(project.ctx, { host, return_path: '/prices' })
  const { pathname, search } = new URL(way.url)
  const entered = await visit(pathname + search)
  expect([entered.status, entered.headers.location]).toEqual([303, '/prices'])
  const [cookie = ''] = entered.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^svc_app=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/)
  const shownTo = (headers: Record<string, string>) => visit('/', { headers })
  expect((await shownTo({ cookie: cookie.split(';')[0] ?? '' })).status).toBe(200)
  expect((await shownTo({ 'x-svc-app-token': way.token })).status).toBe(200)
  expect((await shownTo({ 'x-svc-app-token': 'wrong' })).status).toBe(401)
  expect((await shownTo({ authorization: `Bearer ${way.token}` })).status).toBe(401)
  expect((await visit(pathname + search)).json.code).toBe('app_auth_required')
})

it('closes every way in with a change of who may look, and one that is left', async () => {
  const way = await enterApp(project.ctx, { host, return_path: '/' })
  const headers = { 'x-svc-app-token': way.token }
  expect((await visit('/', { headers })).status).toBe(200)
  await updateApp(project.ctx, { ...address(), access_mode: 'project' })
  await eventually(async () => expect((await visit('/', { headers })).status).toBe(401))
  const again = await enterApp(project.ctx, { host, return_path: '/' })
  const { pathname, search } = new URL(again.url)
  const [cookie = ''] = (await visit(pathname + search)).headers['set-cookie'] ?? []
  const shown = { headers: { cookie: cookie.split(';')[0] ?? '' } }
  expect((await visit('/', shown)).status).toBe(200)
  expect((await visit('/.svc/leave', { ...shown, method: 'POST' })).status).toBe(303)
  expect((await visit('/', shown)).status).toBe(401)
})

it('names who may look: by mode, by role and by list', async () => {
  const stranger = await addOwner(stage.world)
  const member = await addMember(stage.world, project, null)
  const as = (person: typeof stranger) => stage.world.as(person.principal)
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'let in',
      (error: unknown) => (error as { code: string }).code,
    )
  const enters = (person: typeof stranger) => codeOf(enterApp(as(person), { host, return_path: '/' }))
  expect(await enters(stranger)).toBe('app_not_found')
  expect(await enters(member)).toBe('forbidden')
  await updateApp(project.ctx, {
    ...{ ...address(), access_mode: 'restricted' },
    viewers: [{ user_id: userOf(member.principal) }],
  })
  expect(await enters(member)).toBe('let in')
  expect(await enters(stranger)).toBe('app_not_found')
  expect(
    await codeOf(
      updateApp(project.ctx, { ...address(), viewers: [{ user_id: userOf(stranger.principal) }] }),
    ),
  ).toBe('invalid_request')
  expect((await shown()).viewers).toEqual([{ user_id: userOf(member.principal) }])
})

it('takes a password from a form, and not for long when it is wrong', async () => {
  const weak = updateApp(project.ctx, { ...address(), access_mode: 'password' })
  await expect(weak).rejects.toMatchObject({ code: 'invalid_request' })
  await updateApp(project.ctx, { ...address(), access_mode: 'password', password: 'open sesame' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const give = (password: string, accept = 'application/json') =>
    visit('/.svc/password', {
      ...{ method: 'POST', headers: { ...form, accept } },
      body: String(new URLSearchParams({ password, return_path: '//evil.test' })),
    })
  await eventually(async () =>
    expect((await visit('/', { headers: { accept: 'text/html' } })).text).toContain('<form'),
  )
  const wrong = await give('open barley', 'text/html')
  expect([wrong.status, wrong.text.includes('The password is wrong')]).toEqual([401, true])
  const right = await give('open sesame')
  expect([right.status, right.headers.location]).toEqual([303, '/'])
  const [cookie = ''] = right.headers['set-cookie'] ?? []
  expect((await visit('/', { headers: { cookie: cookie.split(';')[0] ?? '' } })).status).toBe(200)
  const statuses = await Promise.all(Array.from({ length: 10 }, () => give('x')))
  expect(statuses.filter(({ status }) => status === 429).length).toBe(2)
  expect(JSON.stringify(await shown())).not.toContain('argon')
})

it('is stopped and started, and closed with its feature', async () => {
  await open()
  const codeIs = (code: string) => eventually(async () => expect((await visit()).json?.code).toBe(code))
  await stopApp(project.ctx, address())
  await codeIs('app_stopped')
  await startApp(project.ctx, address())
  await eventually(async () => expect((await visit()).status).toBe(200))
  await switchApps(stage.world, project, false)
  await codeIs('app_stopped')
})

it('shows the new release at once, and the old one’s own files to tabs that are open', async () => {
  await open()
  await project.commit('main', { 'site/index.html': '<h1>Two</h1>', 'site/app-1a2b3c4d.js': null })
  await stage.settle(project)
  await eventually(async () => expect((await visit()).text).toBe('<h1>Two</h1>'))
  const old = await visit('/app-1a2b3c4d.js')
  expect([old.status, old.text]).toEqual([200, 'one()'])
  expect(old.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await visit('/app-9f8e7d6c.js')).status).toBe(404)
})

it('shows the files of what was moved back from to tabs that are open, for a day', async () => {
  await open()
  await project.commit('main', { 'site/index.html': '<h1>Two</h1>', 'site/app-5e6f7a8b.js': 'two()' })
  await stage.settle(project)
  await eventually(async () => expect((await visit()).text).toBe('<h1>Two</h1>'))
  // What is shown then was ready long before.
  stage.world.clock.advance(3 * 86_400_000)
  await rollbackApp(project.ctx, address())
  await stage.settle(project)
  await eventually(async () => expect((await visit()).text).toBe('<h1>One</h1>'))
  const open_tab = await visit('/app-5e6f7a8b.js')
  expect([open_tab.status, open_tab.text]).toEqual([200, 'two()'])
  stage.world.clock.advance(86_400_000 + 1)
  expect((await visit('/app-5e6f7a8b.js')).status).toBe(404)
})
