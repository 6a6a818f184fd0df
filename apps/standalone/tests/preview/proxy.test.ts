import { once } from 'node:events'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { skipsChromium, startChromium } from '../../../api/tests/support/chromium.ts'
import { bash, startSession, write } from '../support/sessions/agent.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { Child } from '../support/platform/child.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { hostileProgram } from '../support/sessions/hostile-program.ts'
import { type Answer, request, type RequestInput } from '../support/clients/request.ts'
import { signInWith } from '../support/clients/sign-in-attempt.ts'
import { waitFor } from '../support/wait-for.ts'

let platform: Platform
let project: Project
let session: Session

beforeAll(async () => {
  platform = await startPlatform()
  project = await platform.client.projects.provision({ name: 'Preview' })
  const started = await startSession(platform.client, project.project_id, [
    write('server.mjs', hostileProgram),
    bash('(setsid node server.mjs > server.log 2>&1 &) ; echo begun'),
  ])
  expect(started.turn.outputs.at(-1)).toContain('begun')
  session = await platform.client.projects.sessions.get(project.project_id, started.session.session_id)
  // Waited for here: a shell of the agent's has the runtime's own limit of time.
  await waitFor('the program answers', async () => (await ask('GET 3000/')).status === 200)
})
afterAll(() => platform?.stop())

const ask = (operation: string, input: RequestInput = {}): Promise<Answer> => {
  const [method, path = ''] = operation.split(' ')
  return request(platform.origin, `${method} /v1/p/${session.external_id}/${path}`, {
    token: platform.token,
    ...input,
  })
}

test('a port that the agent opened answers through the platform', async () => {
  const answer = await ask('POST 3000/some/path?x&y=%20', {
    raw: 'a body',
    headers: { 'x-mine': 'kept', cookie: 'c=d' },
  })
  expect(answer.body).toMatchObject({
    method: 'POST',
    url: '/some/path?x&y=%20',
    body: 'a body',
    headers: { 'x-mine': 'kept' },
  })
  expect(await ask('GET 3000/teapot')).toMatchObject({ status: 418 })
  expect((await ask('GET 3000/')).body).toMatchObject({ url: '/' })
  expect((await ask('GET 3000')).body).toMatchObject({ url: '/' })
})

test('neither the token of the caller nor the platform’s own word for it reaches the program', async () => {
  const answer = await ask('GET 3000/?__svc_user_context=forged', {
    headers: { 'x-svc-user-context': 'forged' },
  })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain(platform.token)
  expect(answer.text).not.toContain('forged')
  expect(answer.text).not.toContain('x-svc-user-context')
})

test('a streamed answer arrives as it is made, and leaving it closes it inside', async () => {
  const leaving = new AbortController()
  const response = await fetch(`${platform.origin}/v1/p/${session.external_id}/3000/stream`, {
    headers: { authorization: `Bearer ${platform.token}` },
    signal: leaving.signal,
  })
  const first = await response.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('first')
  leaving.abort()
})

test('a WebSocket goes through, with its path and query', async () => {
  const url = `${platform.origin.replace('http', 'ws')}/v1/p/${session.external_id}/3000/live?room=1`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${platform.token}` } })
  await once(socket, 'open')
  socket.send('hello')
  const [data]: unknown[] = await once(socket, 'message')
  expect(String(data)).toBe('HELLO /live?room=1')
  socket.close()

  const refused = new WebSocket(url)
  const [error]: unknown[] = await once(refused, 'error')
  expect(String(error)).toContain('401')
})

test.each([22, 4096])('port %i is never proxied', async (port) => {
  const answer = await ask(`GET ${port}/`)
  expect(answer, answer.text).toMatchObject({ status: 403 })
})

test.each([
  ['a port where nothing listens', '3999/', [502, 503]],
  ['port 0', '0/', [403, 404]],
  ['a port beyond the last', '65536/', [403, 404]],
  ['a port that is no number', 'x/', [404]],
  ['the daemon’s control routes', '8000/svc/env', [403, 404]],
  ['the daemon’s own proxy', '8000/proxy/22/', [403, 404]],
  ['a detour to them', '8000/svc/runtime/..%2f..%2fsvc/env', [400, 403, 404]],
  ['port 22 by a detour', '3000/..%2f..%2f22/', [200, 400, 404]],
] as const)('%s is refused', async (_, path, statuses) => {
  const answer = await ask(`GET ${path}`)
  expect(statuses, `${answer.status} ${answer.text}`).toContain(answer.status)
})

test('the runtime routes tell the state, the messages and the files', async () => {
  expect(await ask('GET 8000/svc/health')).toMatchObject({ status: 200 })
  const state = await ask('GET 8000/svc/runtime/state')
  expect(state, state.text).toMatchObject({ status: 200 })
  const messages = await ask('GET 8000/svc/runtime/messages?limit=1')
  expect(messages, messages.text).toMatchObject({ status: 200 })
  const file = await ask('GET 8000/svc/runtime/files/content?path=server.mjs')
  expect(file.text).toContain('createServer')
  for (const path of ['../../etc/passwd', '/etc/passwd', '..%2f..%2fetc%2fpasswd']) {
    const outside = await ask(`GET 8000/svc/runtime/files/content?path=${path}`)
    expect([400, 403, 404], outside.text).toContain(outside.status)
  }
})

test('what is sent in pieces, without a length, reaches the runtime', async () => {
  const response = await fetch(`${platform.origin}/v1/p/${session.external_id}/8000/svc/runtime/act`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.token}` },
    body: new Blob(['{"kind":', '"stop"}']).stream(),
    duplex: 'half',
  })
  expect(await response.json()).toEqual({ ok: true })
})

test('the runtime’s event stream greets with its epoch', async () => {
  const response = await fetch(`${platform.origin}/v1/p/${session.external_id}/8000/svc/runtime/events`, {
    headers: { authorization: `Bearer ${platform.token}`, accept: 'text/event-stream' },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body?.getReader()
  const chunk = await reader?.read()
  expect(new TextDecoder().decode(chunk?.value)).toContain('hello')
  await reader?.cancel()
})

describe.skipIf(skipsChromium)('a preview in the browser of somebody who is signed in', () => {
  const password = 'correct horse battery'
  let browser: Awaited<ReturnType<typeof startChromium>>
  let person: Awaited<ReturnType<typeof browser.newContext>>
  let door: Child
  let address = ''

  beforeAll(async () => {
    browser = await startChromium()
    person = await browser.newContext()
    person.setDefaultTimeout(60_000)
    await platform.client.auth.changePassword({ password })
    const page = await person.newPage()
    await page.goto(`${platform.origin}/dashboard/`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill('owner@svc.invalid')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    const args = ['sessions', 'preview', session.session_id, '3000', '--open']
    door = new Child(process.execPath, [builtEntry('cli'), ...args], {
      SVC_CLI_TOKEN: platform.token,
      SVC_API_URL: `${platform.origin}/v1`,
      SVC_PROJECT_ID: project.project_id,
      BROWSER: '/bin/true',
    })
    await door.printed('\n')
    address = door.stdout.split('\n')[0] ?? ''
  })
  afterAll(async () => {
    await door?.end('SIGINT')
    await browser?.close()
  })

  test('its program learns no cookie of the platform, can set none, and gets nowhere with what it has', async () => {
    const before = await signInCookies()
    expect(before.length).toBeGreaterThan(0)
    const page = await person.newPage()
    await page.goto(`${address}page`)
    await expect.poll(() => page.title()).toBe('Runs')
    const own = await page.evaluate<{ cookie: string; sockets: string }>(tryEverything)
    expect(own.sockets).toBe('HELLO /v1/oauth/socket')
    const { seen } = (await ask('GET 3000/seen')).body
    const cookies = [...new Set([...(Array.isArray(seen) ? seen : []), own.cookie].map(String))]
    expect(cookies.join('; ')).toContain('theirs=1')
    expect(cookies.join('; ')).not.toMatch(/svc_(?!mine)/)
    const reached = await signInWith(
      cookies.flatMap((cookie) => cookie.split('; ')),
      platform.origin,
    )
    expect(reached.location).not.toContain('code=')
    expect(reached.text).toContain('Password')
    expect(await signInCookies()).toEqual(before)
    expect((await person.cookies(platform.origin)).map(({ value }) => value)).not.toContain('TOSSED')
  })

  test('their browser is signed in as before', async () => {
    const page = await person.newPage()
    await page.goto(`${platform.origin}/dashboard/`)
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  })

  test('the same page on the platform’s own origin is a document of no origin', async () => {
    const page = await person.newPage()
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${platform.token}` })
    await page.goto(`${platform.origin}/v1/p/${session.external_id}/3000/page`)
    await expect.poll(() => page.title()).toBe('Runs')
    expect(await page.evaluate('self.origin')).toBe('null')
    await expect(page.evaluate('document.cookie')).rejects.toThrow(/sandboxed/)
  })

  const signInCookies = async () =>
    (await person.cookies(`${platform.origin}/v1/oauth/authorize`)).map(({ name, value, path }) => ({
      ...{ name, value, path },
    }))

  /** The attempts of a page on its own origin; as text, since it runs there. */
  const tryEverything = `(async () => {
    for (const path of ['/', '/v1/oauth/x', '/v1/oauth/authorize', '/v1/auth/sso/x', '/v1/oauth/interaction/x', '/v1/accounts/me'])
      for (const method of ['GET', 'POST']) await fetch(path, { method, credentials: 'include' })
    for (const path of ['/', '/v1/oauth'])
      for (const domain of ['', '; domain=localhost', '; domain=' + location.hostname, '; domain=127.0.0.1'])
        document.cookie = 'svc_mine=TOSSED; path=' + path + domain
    const socket = new WebSocket('ws://' + location.host + '/v1/oauth/socket')
    await new Promise((resolve) => (socket.onopen = resolve))
    socket.send('hello')
    const sockets = await new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))
    return { cookie: document.cookie, sockets }
  })()`
})

// It ends what the agent started, the program of the previews too.
test('who drives a session refreshes and aborts it, by the API and through the proxy', async () => {
  const { sessions } = platform.client.projects
  const refreshed = { updated: false, restart: 'now', branch: session.branch_name }
  expect(await sessions.refresh(project.project_id, session.session_id)).toMatchObject(refreshed)
  await sessions.abort(project.project_id, session.session_id)
  expect(await ask('POST 8000/svc/refresh')).toMatchObject({ status: 200, body: { ok: true } })
  expect(await ask('POST 8000/svc/abort')).toMatchObject({ status: 200, body: { ok: true } })
  expect(await ask('POST 8000/svc/env', { json: {} })).toMatchObject({ status: 404 })
})

test('a stopped session says so instead of hanging', async () => {
  await platform.client.projects.sessions.stop(project.project_id, session.session_id)
  expect(await ask('GET 3000/')).toMatchObject({ status: 409, body: { code: 'SESSION_NOT_RUNNING' } })
})
