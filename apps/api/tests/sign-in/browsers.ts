import { describe, expect, test } from 'vitest'
import { mint } from '../support/credentials.ts'
import { pick } from '../support/platform.ts'
import {
  type Answer,
  api,
  ask,
  caller,
  me,
  pass,
  password,
  platform,
  post,
  secrets,
  signedUp,
} from './world.ts'

const hour = 3_600_000
const day = 24 * hour

interface Browser {
  readonly id: string
  readonly cookie: string
  readonly page_key: string
}

async function opened(token: string, json: object = {}): Promise<Browser> {
  const answer = await post('/browser', json, token)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  const line = answer.headers.get('set-cookie') ?? ''
  expect(line).toMatch(
    /^__Secure-svc_session=svc_bws_\w{49}; Max-Age=7776000; Path=\/v1; HttpOnly; Secure; SameSite=Strict$/,
  )
  const cookie = line.slice(0, line.indexOf(';'))
  const page_key = pick(answer.body, 'page_key')
  for (const secret of [cookie.slice(cookie.indexOf('=') + 1), page_key]) secrets.add(secret)
  return { id: pick(answer.body, 'browser_session_id'), cookie, page_key }
}

/** Asks as a page in that browser does, but for what a test changes. */
async function look(
  { cookie, page_key }: Browser,
  path = '/accounts/me',
  { method = 'GET', headers = {} as Record<string, string>, json = undefined as unknown } = {},
): Promise<Answer> {
  const all = { cookie, 'x-svc-page': page_key, 'sec-fetch-site': 'same-origin', ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const answer = await fetch(`${api.origin}${path.startsWith('//') ? path.slice(1) : `/v1${path}`}`, {
    method,
    headers: {
      'x-forwarded-for': caller.address,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  const body: unknown = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body }
}

test('a sign-in is exchanged for a cookie and a page key, and its own tokens are spent by that', async () => {
  const { access, refresh } = await signedUp()
  const browser = await opened(access)
  expect(await look(browser)).toMatchObject({ status: 200, body: { user_id: expect.any(String) } })
  expect(await me(access)).toMatchObject({ status: 401 })
  // The pair was copied, whoever shows it now: the whole sign-in ends, and the browser with it.
  expect(await post('/refresh', { refresh_token: refresh })).toMatchObject({
    status: 401,
    body: { error: 'refresh_token_already_used' },
  })
  expect(await look(browser)).toMatchObject({ status: 401, body: { code: 'session_token_revoked' } })
})

describe('a cookie is as good as none', () => {
  test.each([
    ['without the page key', { 'x-svc-page': '' }],
    ['with another page key', { 'x-svc-page': 'x' }],
    ['from another origin', { origin: 'http://127.0.0.1:9999' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_, headers) => {
    const browser = await opened((await signedUp()).access)
    expect(await look(browser, '/accounts/me', { headers })).toMatchObject({ status: 401 })
    expect(await look(browser)).toMatchObject({ status: 200 })
  })

  test('at the doors for programs, and as a bearer', async () => {
    const browser = await opened((await signedUp()).access)
    const project = '00000000-0000-4000-8000-000000000000'
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const doors: [string, object?][] = [
      [`/git/${project}.git/info/refs?service=git-upload-pack`],
      ['/mcp', { method: 'POST', json: call }],
      [`//scim/v2/accounts/${project}/Users`],
      ['/p/box-1/3000/'],
      ['/p/box-1/8000/svc/runtime/state'],
    ]
    for (const [path, init] of doors)
      expect(await look(browser, path, init), path).toMatchObject({ status: 401 })
    const value = browser.cookie.slice(browser.cookie.indexOf('=') + 1)
    for (const token of [value, browser.page_key]) expect(await me(token)).toMatchObject({ status: 401 })
  })

  test('but of the platform’s own address it is one, behind a proxy too', async () => {
    const browser = await opened((await signedUp()).access)
    const headers = { origin: 'https://svc.example.com' }
    expect(await look(browser, '/accounts/me', { headers })).toMatchObject({ status: 200 })
  })
})

test('a bearer wins over the cookie', async () => {
  const mine = await opened((await signedUp()).access)
  const other = await signedUp()
  const headers = { authorization: `Bearer ${other.access}` }
  const answer = await look(mine, '/auth/user', { headers })
  expect(pick(answer.body, 'user.email')).toBe(other.email)
  expect(await look(mine, '/auth/user', { headers: { authorization: 'Bearer x' } })).toMatchObject({
    status: 401,
  })
})

test('it rests for 12 hours, or for 30 days where it is kept, and never lasts longer than 90', async () => {
  const short = await opened((await signedUp()).access)
  const kept = await opened((await signedUp()).access, { keep: true })
  for (let used = 0; used < 3; used += 1) {
    pass(11 * hour)
    expect(await look(short)).toMatchObject({ status: 200 })
  }
  pass(13 * hour)
  expect(await look(short)).toMatchObject({ status: 401 })
  for (let used = 0; used < 3; used += 1) {
    pass(28 * day)
    expect(await look(kept)).toMatchObject({ status: 200 })
  }
  pass(5 * day)
  expect(await look(kept)).toMatchObject({ status: 401 })
})

test('a person sees their browsers and ends them', async () => {
  const { email, access } = await signedUp()
  const first = await opened(access)
  const again = await post('/sign-in/password', { email, password })
  const second = await opened(pick(again.body, 'session.access_token'), { keep: true })
  const { body } = await look(second, '/auth/browsers')
  expect(body).toMatchObject({
    browsers: [
      { browser_session_id: second.id, source: 'sign_in', keep: true, current: true },
      { browser_session_id: first.id, source: 'sign_in', keep: false, current: false },
    ],
  })
  const stranger = await opened((await signedUp()).access)
  const end = (browser: Browser, id: string) => look(browser, `/auth/browsers/${id}`, { method: 'DELETE' })
  expect(await end(stranger, first.id)).toMatchObject({ status: 404 })
  expect(await end(second, first.id)).toMatchObject({ status: 204 })
  expect(await look(first)).toMatchObject({ status: 401 })
  const own = await look(second, '/auth/browser/end', { method: 'POST' })
  expect(own).toMatchObject({ status: 204 })
  expect(own.headers.get('set-cookie')).toMatch(/^__Secure-svc_session=; Max-Age=0; Path=\/v1/)
  expect(await look(second)).toMatchObject({ status: 401 })
  expect(await post('/browser/end', undefined, (await signedUp()).access)).toMatchObject({ status: 400 })
})

test('a changed password ends the person’s other browsers, and a browser opens no other', async () => {
  const { email, access } = await signedUp()
  const other = await opened(access)
  const again = await post('/sign-in/password', { email, password })
  const mine = await opened(pick(again.body, 'session.access_token'))
  expect(await look(mine, '/auth/browser', { method: 'POST', json: {} })).toMatchObject({ status: 400 })
  const json = { password: 'another horse battery', current_password: password }
  expect(await look(mine, '/auth/user', { method: 'PATCH', json })).toMatchObject({ status: 200 })
  expect(await look(other)).toMatchObject({ status: 401 })
  expect(await look(mine)).toMatchObject({ status: 200 })
  expect(await look(mine, '/auth/sign-out', { method: 'POST', json: {} })).toMatchObject({ status: 204 })
  expect(await look(mine)).toMatchObject({ status: 401 })
})

test('a pasted token gives its own power, and ends with it', async () => {
  const { db } = platform.parts
  const { user_id, token: owner } = platform.owner
  const made = await ask('POST', '/projects/provision', { name: 'browsed' }, owner)
  const project_id = pick(made.body, 'project_id')
  const person = await mint(db, { kind: 'user', user_id })
  const bound = await mint(db, { kind: 'project', user_id, project_id })
  const [whole, narrow] = [await opened(person.token), await opened(bound.token)]
  expect(await look(whole)).toMatchObject({ status: 200 })
  expect(await look(narrow)).toMatchObject({ status: 403 })
  expect(await look(narrow, `/projects/${project_id}`)).toMatchObject({ status: 200 })
  for (const { token_id } of [person, bound])
    await db.updateTable('tokens').set({ revoked_at: new Date() }).where('token_id', '=', token_id).execute()
  for (const browser of [whole, narrow])
    expect(await look(browser, '/projects')).toMatchObject({
      status: 401,
      body: { code: 'session_token_revoked' },
    })
})
