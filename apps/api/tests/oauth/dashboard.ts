import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { Browser, type ShownPage } from '../support/browser.ts'
import { ask, type App, me, owner, platform, revoke } from './world.ts'

/** The headers that browsers send for a page that a person sees. */
const seen = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }

/** A browser that says what its requests are for. */
class Tab extends Browser {
  says: Record<string, string> = seen

  override open(url: string, init: RequestInit = {}): Promise<ShownPage> {
    const landed = url.startsWith(`${platform.origin}/dashboard/`)
    if (landed) return Promise.resolve({ status: 302, url, headers: new Headers(), text: '' })
    return super.open(url, { ...init, headers: { ...this.says, ...Object(init.headers) } })
  }
}

describe('the dashboard', () => {
  let config: client.Configuration
  let redirect_uri: string

  beforeAll(async () => {
    redirect_uri = `${platform.origin}/dashboard/signed-in`
    config = await client.discovery(new URL(platform.origin), 'svc-dashboard', undefined, client.None(), {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    })
  })

  const tab = (): App & { readonly browser: Tab } => ({ config, browser: new Tab(platform.origin) })

  async function signIn({ browser }: App, changes: Record<string, string> = {}) {
    const asked = await ask({ config, browser }, { redirect_uri, response_mode: 'fragment', ...changes })
    const page = await browser.open(asked.url.href)
    const { url } = page.text.includes('Sign in')
      ? await browser.submit(page, { step: 'token', token: owner.token })
      : page
    return { ...asked, landed: new URL(url) }
  }

  async function tokens(app: App) {
    const { landed, verifier, state } = await signIn(app)
    return client.authorizationCodeGrant(
      config,
      new URL(`${landed.origin}${landed.pathname}?${landed.hash.slice(1)}`),
      { pkceCodeVerifier: verifier, expectedState: state },
    )
  }

  const postToken = (fields: Record<string, string>, origin: string) =>
    fetch(`${platform.origin}/v1/oauth/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ client_id: 'svc-dashboard', ...fields }),
    })

  test('is known without being registered, asks nothing after the sign-in, and gets its code behind #', async () => {
    const { landed } = await signIn(tab())
    expect(`${landed.origin}${landed.pathname}${landed.search}`).toBe(redirect_uri)
    expect(new URLSearchParams(landed.hash.slice(1)).get('code')).toBeTruthy()
  })

  test('its sign-in says what it is for, and lets the person go back', async () => {
    const { browser } = tab()
    const { url } = await ask({ config, browser }, { redirect_uri, response_mode: 'fragment' })
    const page = await browser.open(url.href)
    expect(page.text).toContain('To go on to the dashboard')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect((await browser.submit(page, { step: 'deny' })).url).toContain('#error=access_denied')
  })

  test.each([
    ['/dashboard/signed-in/'],
    ['/dashboard/signed-in?to=https://evil.example'],
    ['/dashboard/'],
    ['/dashboard/signed-in/../../v1/p/x/3000/'],
  ])('has one address for its answers, which %s is not', async (path) => {
    const app = tab()
    const { url } = await ask(app, { redirect_uri: `${platform.origin}${path}` })
    expect(await app.browser.open(url.href)).toMatchObject({ status: 400 })
  })

  test.each(['http://localhost:4711/dashboard/signed-in', 'https://evil.example/dashboard/signed-in'])(
    'gets no answer at %s',
    async (elsewhere) => {
      const app = tab()
      const { url } = await ask(app, { redirect_uri: elsewhere })
      expect(await app.browser.open(url.href)).toMatchObject({ status: 400 })
    },
  )

  test.each([
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a script', { 'sec-fetch-dest': 'empty' }],
    ['a browser that does not say', { 'sec-fetch-dest': '' }],
  ])('is asked about when %s comes for the answer of somebody who is signed in', async (_, says) => {
    const app = tab()
    await signIn(app)
    app.browser.says = { ...says, 'sec-fetch-site': 'same-origin' }
    const { url } = await ask(app, { redirect_uri })
    expect((await app.browser.open(url.href)).text).toContain('Allow access?')
  })

  test('an app that takes its name is asked about', async () => {
    const browser = new Tab(platform.origin)
    const app = {
      browser,
      config: await client.dynamicClientRegistration(
        new URL(platform.origin),
        { client_name: 'The svc dashboard', redirect_uris: ['http://127.0.0.1:4711/dashboard/signed-in'] },
        client.None(),
        { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
      ),
    }
    const { url } = await ask(app, { redirect_uri: 'http://127.0.0.1:4711/dashboard/signed-in' })
    const consent = await browser.submit(await browser.open(url.href), { step: 'token', token: owner.token })
    expect(consent.text).toContain('Allow access?')
  })

  test('a code is of no use to whoever did not ask for it', async () => {
    const { landed } = await signIn(tab())
    const code = new URLSearchParams(landed.hash.slice(1)).get('code') ?? ''
    const code_verifier = client.randomPKCECodeVerifier()
    const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier }
    const answer = await postToken(grant, platform.origin)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  test('its tokens are renewed from its own origin alone, and unused ones end after twelve hours', async () => {
    const { refresh_token = '' } = await tokens(tab())
    const grant = { grant_type: 'refresh_token', refresh_token }
    expect((await postToken(grant, 'https://evil.example')).status).toBe(400)
    const renewed = await postToken(grant, platform.origin)
    expect(renewed.status).toBe(200)
    const { refresh_token: next, access_token } = Object(await renewed.json())
    expect((await me(access_token)).status).toBe(200)
    const { created_at, expires_at } = await platform.database.db
      .selectFrom('oauth_artefacts')
      .selectAll()
      .where('model', '=', 'RefreshToken')
      .where('id_hash', '=', createHash('sha256').update(String(next)).digest())
      .executeTakeFirstOrThrow()
    expect(expires_at.getTime() - created_at.getTime()).toBe(12 * 3_600_000)
  })

  test('signing out ends its tokens, and the browser is asked who it is again', async () => {
    const app = tab()
    const { access_token, refresh_token = '' } = await tokens(app)
    const { url } = await ask(app, { redirect_uri })
    expect((await app.browser.open(url.href)).url).toContain('/dashboard/signed-in?code=')
    expect((await revoke(refresh_token)).status).toBe(200)
    expect(await (await me(access_token)).json()).toMatchObject({ code: 'session_token_revoked' })
    const again = await app.browser.open((await ask(app, { redirect_uri })).url.href)
    expect(again.text).toContain('To go on to the dashboard')
  })

  test('signs a browser in for its own tokens, and signing that out asks who it is again', async () => {
    const app = tab()
    const { access_token, refresh_token = '' } = await tokens(app)
    const opened = await fetch(`${platform.origin}/v1/auth/browser`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(opened.status).toBe(201)
    const { page_key } = Object(await opened.json())
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const look = (path: string, method = 'GET') =>
      fetch(`${platform.origin}/v1/${path}`, { method, headers: { cookie, 'x-svc-page': String(page_key) } })
    expect((await look('accounts/me')).status).toBe(200)
    expect((await me(access_token)).status).toBe(401)
    const grant = { grant_type: 'refresh_token', refresh_token }
    expect((await postToken(grant, platform.origin)).status).toBe(400)
    expect((await look('accounts/me')).status).toBe(200)
    expect((await look('auth/browser/end', 'POST')).status).toBe(204)
    expect((await look('accounts/me')).status).toBe(401)
    const again = await app.browser.open((await ask(app, { redirect_uri })).url.href)
    expect(again.text).toContain('To go on to the dashboard')
  })

  test('is called by its name among the apps of a person', async () => {
    await tokens(tab())
    const { body } = await platform.call('/v1/oauth/apps', { token: owner.token })
    expect(body).toMatchObject({
      apps: expect.arrayContaining([
        expect.objectContaining({ client_id: 'svc-dashboard', name: 'The svc dashboard' }),
      ]),
    })
  })
})
