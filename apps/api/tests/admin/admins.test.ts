import { createHash, randomUUID } from 'node:crypto'
import { brokenLink } from '@svc/access'
import type { Mail } from '@svc/identity'
import { beforeAll, expect, test, vi } from 'vitest'
import { addPerson, mintForApp } from '../support/credentials.ts'
import { openWorld } from '../support/world.ts'

const password = 'correct horse battery'
const named = 'Ops@Example.com'
const mails: Mail[] = []
const { platform } = await openWorld({
  mail: { send: async (mail) => void mails.push(mail), close: async () => {} },
  settings: {
    ...{ api_url: 'https://svc.example.com/v1', llm_base_url: null, session_cap: null },
    ...{ idle_after_seconds: 900, trigger_idle_after_seconds: 300, ask_timeout_seconds: 1800 },
    sign_up: 'open',
    platform_admins: [named.toLowerCase()],
  },
})
const { db } = platform.parts

interface Signed {
  readonly user_id: string
  readonly email: string
  readonly token: string
}

/** A person who proved the address. */
async function signUp(email = `${randomUUID()}@example.com`): Promise<Signed> {
  const post = (path: string, json: unknown) => platform.call(`/v1/auth${path}`, { method: 'POST', json })
  await post('/signup', { email, password })
  const mail = await vi.waitUntil(() => mails.findLast(({ to }) => to === email.toLowerCase()))
  const token = /code is (\d{4} \d{4})/.exec(mail.text)?.[1]
  const answer = await post('/verify-otp', { type: 'signup', email, token })
  expect(answer.status, answer.text).toBe(200)
  const [user_id, access] = [answer.pick('user.user_id'), answer.pick('session.access_token')]
  return { email, user_id, token: access }
}

const admins = (token: string | undefined, method = 'GET', path = '', json?: unknown) =>
  platform.call(`/v1/admin/admins${path}`, {
    method,
    ...(token === undefined ? {} : { token }),
    ...(json === undefined ? {} : { json }),
  })

const listed = async (token: string) =>
  Object(await admins(token)).body.admins.map(({ user_id }: Signed) => user_id)

let first: Signed
let second: Signed

beforeAll(async () => {
  // As a platform is on which nobody has signed up.
  await db.deleteFrom('accounts').execute()
  await db.deleteFrom('users').execute()
  first = await signUp()
  second = await signUp()
})

test('the owner of the first account is the one platform admin, and the owner of the next is none', async () => {
  const answer = await admins(first.token)
  expect(answer).toMatchObject({ status: 200, body: { admins: [{ user_id: first.user_id }] } })
  expect(Object.keys(Object(answer.body).admins[0])).toEqual(['user_id', 'email', 'name', 'since'])
  expect(await admins(second.token)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', action: 'platform.admin' },
  })
  expect(await admins(undefined)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test('a person who proved an address of SVC_PLATFORM_ADMINS is one from their sign-in on', async () => {
  const ops = await signUp(named)
  expect(await listed(ops.token)).toEqual([first.user_id, ops.user_id])
  expect((await admins(first.token, 'DELETE', `/${ops.user_id}`)).status).toBe(204)
  expect((await admins(ops.token)).status).toBe(403)
  const again = { email: named, password }
  await platform.call('/v1/auth/sign-in/password', { method: 'POST', json: again })
  expect((await admins(ops.token)).status).toBe(200)
  expect((await admins(first.token, 'DELETE', `/${ops.user_id}`)).status).toBe(204)
})

test('an admin adds another by a proved address or by their id, and takes them off again', async () => {
  const unproved = await addPerson(db, await accountOf(first), 'member')
  const address = `${unproved.user_id}@svc.invalid`
  for (const email of ['nobody@example.com', address])
    expect(await admins(first.token, 'POST', '', { email })).toMatchObject({ status: 404 })
  const email = second.email.toUpperCase()
  const added = await admins(first.token, 'POST', '', { email })
  expect(added).toMatchObject({ status: 201, body: { user_id: second.user_id, email: second.email } })
  const repeated = await admins(first.token, 'POST', '', { email })
  expect(repeated).toMatchObject({ status: 200, body: Object(added.body) })
  expect(await listed(second.token)).toEqual([first.user_id, second.user_id])
  expect((await admins(second.token, 'PUT', `/${unproved.user_id}`)).status).toBe(200)
  expect((await admins(unproved.token)).status).toBe(200)
  expect((await admins(unproved.token, 'DELETE', `/${unproved.user_id}`)).status).toBe(204)
  expect((await admins(first.token, 'DELETE', `/${unproved.user_id}`)).status).toBe(404)
  expect((await admins(first.token, 'PUT', `/${randomUUID()}`)).status).toBe(404)
})

test('the last one stays, also when two go at once', async () => {
  const [one, other] = await Promise.all([
    admins(first.token, 'DELETE', `/${second.user_id}`),
    admins(second.token, 'DELETE', `/${first.user_id}`),
  ])
  const left = (await admins(first.token)).status === 200 ? first : second
  expect([one.status, other.status]).toContain(204)
  expect(await admins(left.token, 'DELETE', `/${left.user_id}`)).toMatchObject({
    status: 409,
    body: { code: 'LAST_PLATFORM_ADMIN' },
  })
  if (left === second) await admins(second.token, 'PUT', `/${first.user_id}`)
})

test('the platform’s own apps reach it for an admin, and no other app does', async () => {
  const statuses = ['svc-cli', 'svc-dashboard', 'an-app'].map(async (client_id) => {
    const token = await mintForApp(db, { user_id: first.user_id, scope: 'svc' }, client_id)
    return (await admins(token)).status
  })
  expect(await Promise.all(statuses)).toEqual([200, 200, 403])
})

test('its document is for admins, and neither the public one nor the tools of agents know of it', async () => {
  const document = (token?: string) =>
    platform.call('/v1/admin/openapi.json', token === undefined ? {} : { token })
  expect((await document()).status).toBe(401)
  expect((await document((await signUp()).token)).status).toBe(403)
  expect(Object.keys(Object((await document(first.token)).body).paths)).toContain('/v1/admin/audit')
  expect((await platform.call('/v1/openapi.json')).text).not.toContain('/v1/admin')
  const tools = await platform.call('/v1/mcp', {
    method: 'POST',
    token: first.token,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  expect(tools.status).toBe(200)
  expect(tools.text).not.toMatch(/v1\/admin|latformAdmin/)
})

test('every change is in the platform’s chain, which is whole and lists newest first', async () => {
  const read = (query: string) => platform.call(`/v1/admin/audit${query}`, { token: first.token })
  const events: Record<string, never>[] = Object(await read('?limit=200')).body.events
  expect(new Set(events.map(({ action }) => action))).toEqual(
    new Set(['addPlatformAdmin', 'setPlatformAdmin', 'removePlatformAdmin']),
  )
  expect(events.map(({ account_id }) => account_id)).toEqual(events.map(() => null))
  const chain = Object(events)
    .toReversed()
    .map((event: { at: string }) => ({ ...event, at: new Date(event.at) }))
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  chain.forEach((event: never, at: number) =>
    expect(brokenLink(chain[at - 1] ?? null, event, sha256)).toBe(null),
  )
  const { body } = await read('?limit=2')
  const next = await read(`?limit=2&cursor=${Object(body).next_cursor}`)
  expect([...Object(body).events, ...Object(next.body).events]).toEqual(events.slice(0, 4))
  await expect(db.deleteFrom('platform_audit_events').execute()).rejects.toThrow('append-only')
})

async function accountOf({ user_id }: Signed): Promise<string> {
  const rows = db.selectFrom('account_members').select('account_id').where('user_id', '=', user_id)
  return (await rows.executeTakeFirstOrThrow()).account_id
}
