import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { enterApp, getApp, releaseApp, updateApp } from '@svc/apps'
import { openStage, type Stage, userOf } from '@svc/apps/testing'
import { createLogger } from '@svc/boot'
import { DatabaseListener } from '@svc/db'
import { closeChangeRequest } from '@svc/services'
import { addMember, type TestProject } from '@svc/services/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RunningAppProxy } from '../src/serve-visits.ts'
import { startAppProxy } from '../src/start.ts'

let stage: Stage
let listener: DatabaseListener
let project: TestProject
let host: string
const proxies: Record<'http' | 'https', RunningAppProxy | null> = { http: null, https: null }

beforeAll(async () => {
  stage = await openStage()
  listener = new DatabaseListener(stage.world.connection_string)
  const { db, base, clock } = stage.world
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const now = () => clock.now().getTime()
  const parts = { db, listener, objects: base.objects, log, public_url: undefined, now }
  for (const scheme of ['http', 'https'] as const)
    proxies[scheme] = await startAppProxy(
      { ...parts, apps_url: `${scheme}://apps.example.test:7703` },
      { host: '127.0.0.1', port: 0 },
    )
})
afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy?.close(AbortSignal.abort())
  await listener.close()
})

beforeEach(async () => {
  project = await stage.project()
  await stage.settle(project)
  host = new URL((await getApp(project.ctx, address())).app.url ?? '').host
})

const address = () => ({ project_id: project.project_id, app: 'site' })

async function visit(
  headers: Record<string, string> = {},
  { path = '/', at = host, scheme = 'http' as const as 'http' | 'https' } = {},
) {
  const options = { port: proxies[scheme]?.port, path, headers: { host: at, ...headers }, agent: false }
  const [answer] = await once(request(options).end(), 'response')
  const said = await text(answer)
  const code = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(said).code : null
  return { status: answer.statusCode, code, cookies: answer.headers['set-cookie'] ?? [] }
}

it('looks at the roles of a person again half a minute later, who is let in no more', async () => {
  await updateApp(project.ctx, { ...address(), access_mode: 'project' })
  const member = await addMember(stage.world, project, 'viewer')
  const { token } = await enterApp(stage.world.as(member.principal), { host, return_path: '/' })
  const headers = { 'x-svc-app-token': token }
  expect((await visit(headers)).status).toBe(200)
  const user_id = userOf(member.principal)
  await stage.world.db.deleteFrom('project_members').where('user_id', '=', user_id).execute()
  await stage.world.db.deleteFrom('account_members').where('user_id', '=', user_id).execute()
  stage.world.clock.advance(30_001)
  expect(await visit(headers)).toMatchObject({ status: 401, code: 'app_auth_required' })
})

it('stops the apps of an account that is suspended, and shows them again after that', async () => {
  await updateApp(project.ctx, { ...address(), access_mode: 'public' })
  const suspended = (suspended_at: Date | null) =>
    stage.world.db
      .updateTable('accounts')
      .set({ suspended_at })
      .where('account_id', '=', project.account_id)
      .execute()
  await expect.poll(async () => (await visit()).status).toBe(200)
  await suspended(stage.world.clock.now())
  await expect.poll(async () => (await visit()).code, { timeout: 5000 }).toBe('app_stopped')
  await suspended(null)
  await expect.poll(async () => (await visit()).status, { timeout: 5000 }).toBe(200)
})

it('shows a preview no more once its change request is closed, before any worker looked', async () => {
  const { cr_id } = await project.propose('change', { 'site/index.html': 'Changed' })
  const { release } = await releaseApp(project.ctx, { ...address(), cr_id })
  await stage.settle(project)
  const at = new URL(release.url ?? '').host
  // Public means nothing to what was not reviewed.
  await updateApp(project.ctx, { ...address(), access_mode: 'public' })
  await expect.poll(async () => (await visit({}, { at })).code).toBe('app_auth_required')
  const { token } = await enterApp(project.ctx, { host: at, return_path: '/' })
  expect((await visit({ 'x-svc-app-token': token }, { at })).status).toBe(200)
  await closeChangeRequest(project.ctx, { project_id: project.project_id, cr: cr_id })
  await expect
    .poll(async () => (await visit({ 'x-svc-app-token': token }, { at })).code, { timeout: 5000 })
    .toBe('app_not_found')
})

it('gives a cookie by https that no other host can plant, and takes no other', async () => {
  const { url } = await enterApp(project.ctx, { host, return_path: '/' })
  const { pathname, search } = new URL(url)
  const { cookies } = await visit({}, { path: pathname + search, scheme: 'https' })
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-svc_app=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
  const [cookie = ''] = cookies[0]?.split(';') ?? []
  expect((await visit({ cookie }, { scheme: 'https' })).status).toBe(200)
  const tossed = cookie.replace('__Host-', '')
  expect((await visit({ cookie: tossed }, { scheme: 'https' })).status).toBe(401)
})
