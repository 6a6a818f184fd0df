import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openGit } from '../git/git-client.ts'
import { addPerson } from '../support/credentials.ts'
import { fakeDaemon, runSession, type RunningSession } from '../support/sandbox.ts'
import { hexOf, hookedProject } from '../support/webhooks.ts'

const { platform, api, ask, account_id, project_id, token, git, clone, change, push_token } = await openGit()
const { db } = platform.parts

/** A platform admin who belongs to no account of the test. */
let operator: string
let session: RunningSession
beforeAll(async () => {
  const elsewhere = randomUUID()
  const row = { account_id: elsewhere, name: 'Operators', tier: 'free', created_at: new Date() } as const
  await db.insertInto('accounts').values(row).execute()
  const person = await addPerson(db, elsewhere, 'owner')
  operator = person.token
  await db
    .updateTable('users')
    .set({ platform_admin: true, platform_admin_since: new Date() })
    .where('user_id', '=', person.user_id)
    .execute()
  const daemon = await fakeDaemon((_req, res) => res.end('{"checkpoint":null}'), 'tcp')
  session = await runSession(platform, daemon)
  await daemon.close()
})

const admin = (method: string, path: string, json?: unknown) =>
  platform.call(`/v1/admin${path}`, { method, token: operator, ...(json === undefined ? {} : { json }) })
const account = () => admin('GET', `/accounts/${account_id}`)
const set = (changes: unknown) => admin('PATCH', `/accounts/${account_id}`, changes)

test('accounts are listed by name, found by their members, and shown with what they have', async () => {
  const { body } = await admin('GET', '/accounts?limit=1')
  const [first] = Object(body).accounts
  const shown = (await account()).body
  expect(first).toEqual(shown)
  expect(shown).toEqual({
    ...{ account_id, name: 'My account', tier: 'self_host', members: 1, projects: 2, live_sessions: 1 },
    limits: { live_sessions: null, projects: null, storage_mb: null },
    features: { model_gateway: null, previews: null, apps: null },
    ...{ suspended_at: null, suspended_reason: null, created_at: expect.any(String) },
    plan: expect.objectContaining({
      tier: 'self_host',
      gateway: 'managed',
      billing: 'none',
      session_cap: 50,
    }),
    ...{ billing_state: 'none', balance: null, month_cost_micros: 0 },
  })
  const next = await admin('GET', `/accounts?limit=1&cursor=${Object(body).next_cursor}`)
  expect(Object(next.body)).toMatchObject({ accounts: [{ name: 'Operators' }] })
  const found = async (query: string) =>
    Object(await admin('GET', `/accounts?${query}`)).body.accounts.map(({ name }: { name: string }) => name)
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('user_id', '=', platform.owner.user_id)
    .executeTakeFirstOrThrow()
  for (const query of ['q=my%20acc', `q=${account_id}`, `q=${encodeURIComponent(email)}`, 'tier=self_host'])
    expect([query, await found(query)]).toEqual([query, ['My account']])
  expect(await found('q=none%25')).toEqual([])
  expect((await admin('GET', '/accounts?tier=None')).status).toBe(400)
  expect((await admin('GET', `/accounts/${randomUUID()}`)).status).toBe(404)
})

test('a change is strict, leaves what it does not name, and stands in both chains', async () => {
  for (const wrong of [
    { billing_state: 'exhausted' },
    { limits: { cpus: 1 } },
    { limits: { projects: -1 } },
    { tier: 'none' },
    { suspended_reason: 'Without a suspension' },
  ])
    expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
  expect(await set({ tier: 'team', limits: { live_sessions: 3 } })).toMatchObject({
    status: 200,
    body: { tier: 'team', limits: { live_sessions: 3, projects: null, storage_mb: null } },
  })
  expect((await set({ limits: { projects: 7 } })).body).toMatchObject({
    tier: 'team',
    limits: { live_sessions: 3, projects: 7 },
  })
  expect((await set({ tier: 'self_host', limits: { projects: null } })).body).toMatchObject({
    tier: 'self_host',
    limits: { live_sessions: 3, projects: null },
  })
  const events = async (path: string, of = ask) => Object((await of('GET', path)).body).events
  const [own] = await events('/v1/admin/audit?limit=1', (method, path) =>
    platform.call(path, { method, token: operator }),
  )
  expect(own).toMatchObject({ action: 'updateOperatedAccount', account_id, details: { tier: 'self_host' } })
  const [theirs] = await events(`/v1/accounts/${account_id}/audit?action=updateOperatedAccount`)
  expect(theirs.details).toEqual({ tier: 'self_host', limit_projects: null, by_operator: true })
  const before = (
    await events('/v1/admin/audit', (method, path) => platform.call(path, { method, token: operator }))
  ).length
  await set({ tier: 'self_host' })
  expect(
    (await events('/v1/admin/audit', (method, path) => platform.call(path, { method, token: operator })))
      .length,
  ).toBe(before)
  expect((await ask('PATCH', `/v1/admin/accounts/${account_id}`, { suspended: true })).status).toBe(409)
})

test('the limits hold where something is made: sessions, projects, pushes and starts', async () => {
  const sessions = `/v1/projects/${session.project_id}/sessions`
  await set({ limits: { live_sessions: 0 } })
  const refused = await ask('POST', sessions, {})
  expect(refused).toMatchObject({ status: 429, body: { code: 'session_limit_reached', limit: 0 } })
  expect(refused.headers.get('retry-after')).toBe('30')
  await set({ limits: { live_sessions: 2 } })
  const made = await ask('POST', sessions, {})
  expect(made.status).toBe(201)
  expect((await ask('POST', sessions, {})).status).toBe(429)
  await set({ limits: { live_sessions: null, projects: 2 } })
  const provision = () => ask('POST', '/v1/projects/provision', { name: 'one more' })
  expect(await provision()).toMatchObject({ status: 422, body: { code: 'project_limit', limit: 2 } })
  await set({ limits: { projects: null, storage_mb: 0 } })
  expect(await ask('POST', sessions, {})).toMatchObject({ status: 201 })
  // What was measured last counts for starts, what is there at this moment for a push.
  const size = { project_id, bytes: 5_000_000, packs: 1, updated_at: new Date() }
  await db.insertInto('repositories').values(size).execute()
  expect(await ask('POST', sessions, {})).toMatchObject({ status: 422, body: { code: 'storage_limit' } })
  const one = await clone(token)
  await change(one, 'x.txt', 'x\n')
  const push = () => git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/large'], token)
  expect(await push()).toMatchObject({ code: 128, text: expect.stringContaining('422') })
  await set({ limits: { storage_mb: 100 } })
  expect(await push()).toMatchObject({ code: 0 })
  expect((await ask('POST', sessions, {})).status).toBe(201)
  await set({ limits: { storage_mb: null } })
})

test('features: the project, then its account, then the platform; what is closed nobody has', async () => {
  const on = async (feature: string) =>
    Object(await ask('GET', `/v1/projects/${project_id}/features`)).body.features.find(
      (one: { feature: string }) => one.feature === feature,
    ).enabled
  const ofAccount = (json: unknown) => admin('PATCH', `/accounts/${account_id}/features`, json)
  const ofPlatform = (json: unknown) => admin('PATCH', '/features', json)
  expect(Object((await admin('GET', '/features')).body).features).toContainEqual({
    ...{ feature: 'apps', summary: 'the project may deploy apps' },
    ...{ available: true, default: false, operator_only: true },
  })
  expect(await on('apps')).toBe(false)
  expect((await ofPlatform({ apps: { default: true } })).status).toBe(200)
  expect(await on('apps')).toBe(true)
  expect((await ofAccount({ apps: false })).body).toMatchObject({ features: { apps: false, previews: null } })
  expect(await on('apps')).toBe(false)
  const flag = await platform.call(`/v1/projects/${project_id}/features`, {
    ...{ method: 'PATCH', token, json: { apps: true } },
  })
  expect(flag.status, flag.text).toBe(200)
  expect(await on('apps')).toBe(true)
  expect((await ofPlatform({ apps: { available: false } })).body).toMatchObject({
    features: expect.arrayContaining([
      expect.objectContaining({ feature: 'apps', available: false, default: true }),
    ]),
  })
  expect(await on('apps')).toBe(false)
  expect(await ask('PATCH', `/v1/projects/${project_id}/features`, { apps: true })).toMatchObject({
    status: 403,
    body: { code: 'feature_disabled', feature: 'apps' },
  })
  await ofPlatform({ apps: { available: true, default: false } })
  expect((await ofAccount({ apps: null })).body).toMatchObject({ features: { apps: null } })
  // The model gateway is opted into by each project alone.
  await ofPlatform({ model_gateway: { default: true } })
  await ofAccount({ model_gateway: true })
  await db.deleteFrom('project_features').where('project_id', '=', project_id).execute()
  expect(await on('model_gateway')).toBe(false)
  await ask('PATCH', `/v1/projects/${project_id}/features`, { model_gateway: true })
  const key = () => ask('POST', `/v1/projects/${project_id}/gateway-keys`, { name: randomUUID() })
  expect((await key()).status).toBe(201)
  await ofPlatform({ model_gateway: { available: false } })
  expect(await key()).toMatchObject({
    status: 403,
    body: { code: 'feature_disabled', feature: 'model_gateway' },
  })
  await ofPlatform({ model_gateway: { available: true } })
  for (const wrong of [{ none: true }, { apps: 'on' }]) expect((await ofAccount(wrong)).status).toBe(400)
  for (const wrong of [{ apps: { operator_only: false } }, { apps: true }])
    expect((await ofPlatform(wrong)).status).toBe(400)
  const { body } = await ask('GET', `/v1/accounts/${account_id}/audit?action=setAccountFeatures`)
  expect(Object(body).events).toContainEqual(
    expect.objectContaining({ details: { apps: false, by_operator: true } }),
  )
})

test('a suspended account is refused at every door with the reason, and reads', async () => {
  const reason = 'The invoice of October is open.'
  const scim = await ask('POST', `/v1/accounts/${account_id}/scim-tokens`, { name: 'directory' })
  const hooked = await hookedProject(platform, { hook: {} })
  const one = await clone(token)
  await change(one, 'y.txt', 'y\n')
  const push = (by: string) => git(['-C', one, 'push', '-q', 'origin', 'HEAD:refs/heads/closed'], by)
  platform.jobs.length = 0
  expect((await set({ suspended: true, suspended_reason: reason })).body).toMatchObject({
    suspended_at: expect.any(String),
    suspended_reason: reason,
  })
  expect(platform.jobs).toContainEqual({
    ...{ queue: 'session', name: 'sandbox.evict', payload: { session_id: session.session_id } },
  })

  const agent = session.environment.SVC_CLI_TOKEN ?? ''
  const mine = `/v1/projects/${session.project_id}`
  const refused: readonly (readonly [method: string, path: string, by: string])[] = [
    ['POST', '/v1/projects/provision', token],
    ['PATCH', `/v1/projects/${project_id}`, token],
    ['DELETE', `/v1/projects/${project_id}`, token],
    ['PUT', `/v1/projects/${project_id}/secrets/A`, token],
    ['POST', `${mine}/sessions`, token],
    ['POST', `${mine}/sessions/${session.session_id}/prompts`, token],
    ['POST', `${mine}/sessions/${session.session_id}/restart`, token],
    ['PATCH', `/v1/accounts/${account_id}`, token],
    ['POST', `/v1/accounts/${account_id}/scim-tokens`, token],
    ['POST', `${mine}/change-requests`, agent],
    ['POST', `/scim/v2/accounts/${account_id}/Users`, scim.pick('token')],
  ]
  const json = {
    ...{ name: 'x', value: 'x', text: 'x', title: 'x', head_ref: session.session_id, default_model: null },
    ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'a@b.c' },
  }
  for (const [method, path, by] of refused) {
    const answer = await platform.call(path, { method, token: by, json: bodyOf(path, json) })
    expect([method, path, answer.status, answer.text]).toEqual([
      ...[method, path, 403],
      expect.stringContaining('The invoice of October is open'),
    ])
  }
  expect(await ask('POST', `${mine}/sessions`, {})).toMatchObject({
    body: { code: 'account_suspended', reason },
  })
  const spoken = await fetch(`${api.origin}/v1/p/${session.external_id}/8000/session/x/message`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` } },
  })
  expect([spoken.status, await spoken.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'account_suspended' }),
  ])
  expect(await push(token)).toMatchObject({ code: 128, text: expect.stringContaining('403') })
  expect(await push(push_token)).toMatchObject({ code: 128 })
  const body = Buffer.from('{}')
  const hook = await fetch(`${api.origin}/v1/webhooks/projects/${hooked}/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-signature': `sha256=${hexOf(body)}` },
    body,
  })
  expect([hook.status, await hook.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'account_suspended' }),
  ])

  for (const path of ['/v1/projects', mine, `${mine}/sessions`, `/v1/accounts/${account_id}/audit`])
    expect([path, (await ask('GET', path)).status]).toEqual([path, 200])
  await clone(token)
  const report = { method: 'POST', token: session.environment.SVC_SANDBOX_TOKEN ?? '', json: {} }
  expect(await platform.call(`${mine}/turn-stream`, report)).toMatchObject({ status: 400 })

  expect((await set({ suspended_reason: 'Another one' })).body).toMatchObject({
    suspended_reason: 'Another one',
  })
  expect((await set({ suspended: false })).body).toMatchObject({ suspended_at: null, suspended_reason: null })
  expect(await push(token)).toMatchObject({ code: 0 })
  const denied = await ask('GET', `/v1/accounts/${account_id}/audit?outcome=denied&action=gitPush`)
  expect(Object(denied.body).events.length).toBeGreaterThan(0)
})

/** The fields that the route takes. */
function bodyOf(path: string, all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: readonly (readonly [RegExp, readonly string[]])[] = [
    [/scim\/v2/, ['schemas', 'userName']],
    [/secrets/, ['value']],
    [/prompts$/, ['text']],
    [/change-requests/, ['title', 'head_ref']],
    [/sessions$|restart$/, []],
    [/v1\/accounts\/[^/]+$/, ['default_model']],
    [/./, ['name']],
  ]
  const named = fields.find(([pattern]) => pattern.test(path))?.[1] ?? []
  return Object.fromEntries(named.map((name) => [name, all[name]]))
}
