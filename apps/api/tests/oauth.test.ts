import { randomBytes } from 'node:crypto'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { tokenPrefix } from '@svc/access'
import { tokens as tokenRows } from '@svc/db'
import { sweepOAuth } from '@svc/services'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type Shown } from './support/browser.ts'
import { mint } from './support/credentials.ts'
import { type OAuthPlatform, oauthPlatform } from './support/oauth.ts'
import { pick } from './support/platform.ts'

let platform: OAuthPlatform
let now = 0
let ownerToken = ''
beforeAll(async () => {
  platform = await oauthPlatform({ now: () => new Date(Date.now() + now) })
  ownerToken = platform.owner.token
})
afterAll(() => platform.close())

const insecure = { [oauth.allowInsecureRequests]: true }
const callback = 'http://127.0.0.1:4711/callback'

interface App {
  readonly config: client.Configuration
  readonly browser: Browser
}

/** An app that found the server by its address and registered itself there. */
async function newApp(metadata: Record<string, unknown> = {}): Promise<App> {
  const browser = new Browser(platform.origin)
  const config = await client.dynamicClientRegistration(
    new URL(platform.origin),
    { client_name: 'A test app', redirect_uris: [callback], ...metadata },
    client.None(),
    {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (url, { headers, ...options }) =>
        fetch(url, {
          ...options,
          body: options.body ?? null,
          headers: { ...headers, 'x-forwarded-for': browser.address },
        }),
    },
  )
  return { config, browser }
}

interface Asked {
  readonly url: URL
  readonly verifier: string
  readonly state: string
}

async function ask(app: App, changes: Record<string, string> = {}): Promise<Asked> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(app.config, {
    redirect_uri: callback,
    scope: 'svc',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...changes,
  })
  return { url, verifier, state }
}

/** Signs in with the owner's token and allows it; ends where the app waits. */
async function allow({ browser }: Pick<App, 'browser'>, url: URL): Promise<URL> {
  const first = await browser.open(url.href)
  const known = first.text.includes('Allow access?')
  const consent = known ? first : await browser.submit(first, { step: 'token', token: ownerToken })
  const answer = await browser.submit(consent, { step: 'approve' })
  return new URL(answer.url)
}

async function tokensFor(app: App, changes: Record<string, string> = {}) {
  const { url, verifier, state } = await ask(app, changes)
  const landed = await allow(app, url)
  return client.authorizationCodeGrant(app.config, landed, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const me = (token: string, path = '/v1/accounts/me') => fetch(`${platform.origin}${path}`, bearer(token))

async function refusal(work: Promise<unknown>): Promise<{ status: unknown; error: unknown }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return { status: 'status' in error ? error.status : null, error: error.error }
  throw new Error('This was not refused', { cause: error })
}

describe('discovery', () => {
  test('says what the server is and does', async () => {
    const issuer = new URL(platform.origin)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const server = await oauth.processDiscoveryResponse(issuer, response)
    expect(server).toMatchObject({
      issuer: platform.origin,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['svc', 'profile'],
      registration_endpoint: `${platform.origin}/v1/oauth/register`,
    })
    const keys: unknown = await (await fetch(String(server.jwks_uri))).json()
    expect(JSON.stringify(keys)).not.toContain('"d"')
  })

  test.each(['', '/v1', '/v1/mcp'])('of the resource %j leads to the server', async (path) => {
    const resource = new URL(`${platform.origin}${path}`)
    const response = await oauth.resourceDiscoveryRequest(resource, insecure)
    const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, response)
    expect(authorization_servers).toEqual([platform.origin])
  })

  test('starts at the 401 of the MCP server', async () => {
    const response = await fetch(`${platform.origin}/v1/mcp`, { method: 'POST' })
    expect(response.status).toBe(401)
    const metadata = /^Bearer resource_metadata="([^"]+)"/.exec(
      response.headers.get('www-authenticate') ?? '',
    )?.[1]
    const found: unknown = await (await fetch(metadata ?? '')).json()
    expect(found).toMatchObject({ resource: `${platform.origin}/v1/mcp` })
  })
})

describe('an app that registered itself', () => {
  test('acts for the person who allowed it, and shows in the log', async () => {
    const app = await newApp()
    const tokens = await tokensFor(app)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'svc' })
    expect(tokenPrefix(tokens.access_token)).toBe('svc_oat_')
    expect(tokenPrefix(tokens.refresh_token ?? '')).toBe('svc_ort_')
    expect(pick(await (await me(tokens.access_token)).json(), 'user_id')).toBe(platform.owner.user_id)
    expect(await (await me(tokens.access_token, '/v1/oauth/userinfo')).json()).toMatchObject({
      sub: platform.owner.user_id,
    })
    const made = await fetch(`${platform.origin}/v1/projects/provision`, {
      method: 'POST',
      headers: { ...bearer(tokens.access_token).headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By an app' }),
    })
    expect(made.status).toBe(201)
    const events = await platform.database.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'details'])
      .where('action', 'in', ['approveOAuthClient', 'provisionProject'])
      .orderBy('seq')
      .execute()
    const { client_id } = app.config.clientMetadata()
    const actor_id = platform.owner.user_id
    expect(events).toMatchObject([
      {
        action: 'approveOAuthClient',
        actor_id,
        details: { client_id, client_name: 'A test app', scope: 'svc' },
      },
      { action: 'provisionProject', actor_id, details: { oauth_client_id: client_id } },
    ])
  })

  test('makes no token and no password that would outlive it', async () => {
    const { access_token: token } = await tokensFor(await newApp())
    const minted = await platform.call('/v1/accounts/tokens', { method: 'POST', token, json: { name: 'x' } })
    expect(minted).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const json = { password: 'a longer horse battery' }
    expect(await platform.call('/v1/auth/user', { method: 'PATCH', token, json })).toMatchObject({
      status: 403,
    })
  })

  test('refreshes, and a refresh token that comes twice ends the family', async () => {
    const app = await newApp()
    const first = await tokensFor(app)
    const second = await client.refreshTokenGrant(app.config, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await me(second.access_token)).status).toBe(200)
    const again = client.refreshTokenGrant(app.config, first.refresh_token ?? '')
    expect(await refusal(again)).toEqual({ status: 400, error: 'invalid_grant' })
    expect(await (await me(second.access_token)).json()).toMatchObject({ code: 'session_token_revoked' })
    const next = client.refreshTokenGrant(app.config, second.refresh_token ?? '')
    expect(await refusal(next)).toMatchObject({ error: 'invalid_grant' })
  })

  test('that uses one refresh token twice at once is left with nothing', async () => {
    const app = await newApp()
    const { refresh_token = '', access_token } = await tokensFor(app)
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => client.refreshTokenGrant(app.config, refresh_token)),
    )
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2)
    expect((await me(access_token)).status).toBe(401)
    for (const result of results)
      if (result.status === 'fulfilled') expect((await me(result.value.access_token)).status).toBe(401)
  })

  test('that uses a code twice ends what came of it', async () => {
    const app = await newApp()
    const { url, verifier, state } = await ask(app)
    const landed = await allow(app, url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const { access_token } = await client.authorizationCodeGrant(app.config, landed, checks)
    expect((await me(access_token)).status).toBe(200)
    expect(await refusal(client.authorizationCodeGrant(app.config, landed, checks))).toEqual({
      status: 400,
      error: 'invalid_grant',
    })
    expect((await me(access_token)).status).toBe(401)
  })

  test('gets nothing for a code with another verifier, or of another app', async () => {
    const app = await newApp()
    const { url, verifier, state } = await ask(app)
    const landed = await allow(app, url)
    const other = client.randomPKCECodeVerifier()
    const wrong = { pkceCodeVerifier: other, expectedState: state }
    expect(await refusal(client.authorizationCodeGrant(app.config, landed, wrong))).toMatchObject({
      error: 'invalid_grant',
    })
    const stranger = await newApp()
    const right = { pkceCodeVerifier: verifier, expectedState: state }
    expect(await refusal(client.authorizationCodeGrant(stranger.config, landed, right))).toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('revokes at once, and cannot revoke for others', async () => {
    const app = await newApp()
    const { access_token, refresh_token = '' } = await tokensFor(app)
    const stranger = await newApp()
    await client.tokenRevocation(stranger.config, access_token)
    expect((await me(access_token)).status).toBe(200)
    await client.tokenRevocation(app.config, refresh_token)
    expect(await (await me(access_token)).json()).toMatchObject({
      status: 401,
      code: 'session_token_revoked',
    })
    await client.tokenRevocation(app.config, 'svc_ort_unknown')
  })

  test('without the scope svc reaches who the person is, and no more', async () => {
    const app = await newApp()
    const { access_token, scope } = await tokensFor(app, { scope: 'profile' })
    expect(scope).toBe('profile')
    expect((await me(access_token)).status).toBe(200)
    expect((await me(access_token, '/v1/oauth/userinfo')).status).toBe(200)
    for (const path of ['/v1/projects', '/v1/accounts/tokens', '/v1/mcp']) {
      const refused = await me(access_token, path)
      expect(refused.status).toBe(403)
      expect(pick(await refused.json(), 'message')).toMatch(/^insufficient_scope/)
    }
    const git = await fetch(
      `${platform.origin}/v1/git/7b8f0f06-6b6f-4b1c-8a4e-2f8d8c5f0a11.git/info/refs?service=git-upload-pack`,
      { headers: { authorization: `Basic ${Buffer.from(`x:${access_token}`).toString('base64')}` } },
    )
    expect(git.status).toBe(403)
    expect((await revoke(access_token)).status).toBe(200)
    expect((await me(access_token)).status).toBe(401)
  })

  test('may wait at any port of this computer, and nowhere else', async () => {
    const app = await newApp()
    const elsewhere = 'http://127.0.0.1:5822/callback'
    const { url, verifier, state } = await ask(app, { redirect_uri: elsewhere })
    const landed = await allow(app, url)
    expect(landed.origin + landed.pathname).toBe(elsewhere)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    expect(await client.authorizationCodeGrant(app.config, landed, checks)).toHaveProperty('access_token')
  })
})

const revoke = (token: string) =>
  fetch(`${platform.origin}/v1/oauth/revoke`, {
    ...bearer(token),
    method: 'POST',
    body: new URLSearchParams({ token }),
  })

test('an MCP client needs the address of the server alone', async () => {
  const url = new URL(`${platform.origin}/v1/mcp`)
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; asked?: URL } =
    {}
  const authProvider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'An editor', redirect_uris: [callback] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    redirectToAuthorization: (asked) => void (kept.asked = asked),
  }
  const first = new StreamableHTTPClientTransport(url, { authProvider })
  const info = { name: 'an editor', version: '1' }
  await expect(new McpClient(info).connect(first)).rejects.toThrow(UnauthorizedError)
  const { asked } = kept
  if (asked === undefined) throw new Error('The client asked nobody')
  expect(asked.searchParams.get('resource')).toBe(url.href)
  const landed = await allow({ browser: new Browser(platform.origin) }, asked)
  await first.finishAuth(landed.searchParams.get('code') ?? '')
  const mcp = new McpClient(info)
  await mcp.connect(new StreamableHTTPClientTransport(url, { authProvider }))
  const answer = await mcp.callTool({
    name: 'call_api',
    arguments: { method: 'GET', path: '/v1/accounts/me' },
  })
  expect(JSON.stringify(answer)).toContain(platform.owner.user_id)
  await mcp.close()
})

describe('the server refuses', () => {
  let app: App
  let web: App
  beforeAll(async () => {
    app = await newApp()
    web = await newApp({ application_type: 'web', redirect_uris: ['https://app.example/callback'] })
  })

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['the implicit flow', { response_type: 'token' }],
    ['an OpenID token', { response_type: 'id_token', nonce: 'n' }],
  ])('%s, and tells the app', async (_, changes) => {
    const { url } = await ask(app, changes)
    for (const [name, value] of Object.entries(changes)) if (value === '') url.searchParams.delete(name)
    const landed = new URL((await app.browser.open(url.href)).url)
    expect(landed.origin).toBe(new URL(callback).origin)
    expect(landed.href).toMatch(/error=(invalid_request|unsupported_response_type|unauthorized_client)/)
    expect(landed.href).not.toContain('code=')
  })

  test.each([
    'http://127.0.0.1:4711/callback/',
    'http://127.0.0.1:4711/callback?more=1',
    'http://127.0.0.1:4711/callback/../callback',
    'http://localhost:4711/callback',
    'http://127.0.0.1.example:4711/callback',
    'http://user@127.0.0.1:4711/callback',
    'https://127.0.0.1:4711/callback',
    'https://evil.example/callback',
    'javascript:alert(1)',
  ])('to send an answer to %s', async (redirect_uri) => {
    const { url } = await ask(app, { redirect_uri })
    const shown = await app.browser.open(url.href)
    expect(shown.url).toContain(platform.origin)
    expect(shown.status).toBe(400)
    expect(shown.text).toContain('invalid_redirect_uri')
  })

  test.each([
    'https://app.example/callback/',
    'https://app.example:444/callback',
    'https://APP.example/callback',
  ])('to send the answer for a site to %s', async (redirect_uri) => {
    const { url } = await ask(web, { redirect_uri })
    expect(await web.browser.open(url.href)).toMatchObject({ status: 400 })
  })

  test.each([
    ['a site without TLS', { redirect_uris: ['http://app.example/callback'], application_type: 'web' }],
    ['a site without TLS, as an app', { redirect_uris: ['http://app.example/callback'] }],
    ['script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a client secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['the implicit flow', { response_types: ['token'], grant_types: ['implicit'] }],
    ['no address', { redirect_uris: [] }],
  ])('to register %s', async (_, metadata) => {
    const response = await fetch(`${platform.origin}/v1/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': app.browser.address },
      body: JSON.stringify({ redirect_uris: [callback], ...metadata }),
    })
    expect(response.status).toBe(400)
    expect(pick(await response.json(), 'error')).toMatch(/^invalid_(redirect_uri|client_metadata)$/)
  })

  test('a code after five minutes', async () => {
    const { url, verifier, state } = await ask(app)
    const landed = await allow(app, url)
    await platform.database.db
      .updateTable('oauth_artefacts')
      .set({ expires_at: new Date(0) })
      .where('model', '=', 'AuthorizationCode')
      .execute()
    const late = client.authorizationCodeGrant(app.config, landed, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(await refusal(late)).toMatchObject({ error: 'invalid_grant' })
  })

  test('an access token after an hour', async () => {
    const { access_token } = await tokensFor(app)
    now = 3_599_000
    expect((await me(access_token)).status).toBe(200)
    now = 3_601_000
    expect(await (await me(access_token)).json()).toMatchObject({ code: 'session_token_revoked' })
    now = 0
  })
})

describe('the pages', () => {
  let app: App
  let page: Shown
  beforeAll(async () => {
    app = await newApp({ client_name: `<img src=x onerror=alert(1)>"'` })
    page = await app.browser.open((await ask(app)).url.href)
  })

  test('load nothing, run nothing, are framed by nobody and lead nowhere else', () => {
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-[^']+'; /,
    )
    expect(policy).toMatch(/; form-action 'self' http:\/\/127\.0\.0\.1:4711$/)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.text).not.toMatch(/<script|<img|<link|https?:\/\//)
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;')
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['nowhere', { origin: 'null' }],
  ])('take no form from %s', async (_, headers) => {
    const shown = await app.browser.submit(page, { step: 'token', token: ownerToken }, headers)
    expect(shown).toMatchObject({ status: 403 })
  })

  test('belong to the browser that opened them', async () => {
    const other = new Browser(platform.origin)
    const shown = await other.submit(page, { step: 'token', token: ownerToken })
    expect(shown).toMatchObject({ status: 400, text: expect.stringContaining('no longer open') })
  })

  test.each([
    ['a wrong password', { step: 'password', email: 'nobody@example.com', password: 'hunter2hunter2' }],
    ['no token', { step: 'token', token: '' }],
    ['a token of nobody', { step: 'token', token: `svc_pat_${randomBytes(30).toString('hex')}` }],
  ])('say so of %s, and never repeat it', async (_, fields) => {
    const shown = await app.browser.submit(page, fields)
    expect(shown).toMatchObject({ status: 401, text: expect.stringContaining('role="alert"') })
    for (const secret of [Object(fields).password, Object(fields).token])
      if (secret) expect(shown.text).not.toContain(secret)
  })

  test('take no token of a project, nor one of an app', async () => {
    const { access_token } = await tokensFor(await newApp())
    expect(await app.browser.submit(page, { step: 'token', token: access_token })).toMatchObject({
      status: 401,
    })
  })

  test('let the person say no, before and after they signed in', async () => {
    const fresh = await newApp()
    const denied = await fresh.browser.submit(await fresh.browser.open((await ask(fresh)).url.href), {
      step: 'deny',
    })
    expect(denied.url).toContain('error=access_denied')
    const signIn = await fresh.browser.open((await ask(fresh)).url.href)
    const consent = await fresh.browser.submit(signIn, { step: 'token', token: ownerToken })
    expect(consent.text).toContain('do everything that you may do')
    expect((await fresh.browser.submit(consent, { step: 'deny' })).url).toContain('error=access_denied')
    // Who is signed in is still asked, each time.
    expect((await fresh.browser.open((await ask(fresh)).url.href)).text).toContain('Allow access?')
  })

  test('limit how often somebody guesses', async () => {
    const guesser = await newApp()
    const form = await guesser.browser.open((await ask(guesser)).url.href)
    const guess = () => guesser.browser.submit(form, { step: 'token', token: 'svc_pat_wrong' })
    const statuses = []
    for (let count = 0; count < 31; count++) statuses.push((await guess()).status)
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401))
    expect(statuses[30]).toBe(429)
  })
})

const odd = ['\0', '%', '\u202e', 'x'.repeat(10_000), '../..', '[]', '{}', 'null']

test.each([
  ['GET', '/v1/oauth/authorize', ['client_id', 'scope', 'state', 'redirect_uri', 'code_challenge']],
  [
    'POST',
    '/v1/oauth/token',
    ['client_id', 'grant_type', 'code', 'refresh_token', 'device_code', 'code_verifier'],
  ],
  ['POST', '/v1/auth/device', ['client_id', 'scope']],
  ['POST', '/v1/oauth/device', ['user_code', 'xsrf']],
  ['POST', '/v1/oauth/revoke', ['token', 'client_id']],
  ['POST', '/v1/oauth/register', ['redirect_uris', 'client_name', 'scope', 'grant_types', 'jwks']],
])('%s %s answers odd input with a refusal', async (method, path, names) => {
  const { client_id } = (await newApp()).config.clientMetadata()
  const usual = { client_id, grant_type: 'refresh_token', response_type: 'code', redirect_uri: callback }
  for (const value of odd)
    for (const name of names) {
      const fields = { ...usual, [name]: value }
      const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : ''
      const json = path.endsWith('register')
      const body = json
        ? JSON.stringify({ redirect_uris: [callback], [name]: value })
        : new URLSearchParams(fields)
      const headers = {
        'x-forwarded-for': new Browser('').address,
        ...(json ? { 'content-type': 'application/json' } : {}),
      }
      const init = { method, headers, redirect: 'manual' as const, ...(method === 'GET' ? {} : { body }) }
      const answer = await fetch(`${platform.origin}${path}${query}`, init)
      expect(answer.status, `${name}=${value.slice(0, 20)}: ${await answer.text()}`).toBeLessThan(500)
    }
})

test.each([
  '/v1/oauth/interaction/%00',
  '/v1/oauth/interaction/%E0%A4%A',
  '/v1/oauth/authorize/%E0%A4%A',
  '/v1/oauth/device/x/y',
  '/v1/oauth/authorize?client_id=a&client_id=b',
])('%s is refused', async (path) => {
  const { status } = await fetch(`${platform.origin}${path}`, { headers: { accept: 'text/html' } })
  expect([400, 404]).toContain(status)
})

describe('a person with a password', () => {
  const password = 'correct horse battery'
  const email = 'owner@svc.invalid'
  let account_id = ''
  beforeAll(async () => {
    const { call } = platform
    account_id = (await call('/v1/accounts/me', { token: ownerToken })).pick('account_id')
    const set = await call('/v1/auth/user', { method: 'PATCH', token: ownerToken, json: { password } })
    expect(set.status, set.text).toBeLessThan(300)
  })

  async function byPassword(app: App) {
    const { url, verifier, state } = await ask(app)
    const page = await app.browser.open(url.href)
    const consent = await app.browser.submit(page, { step: 'password', email, password })
    const landed = new URL((await app.browser.submit(consent, { step: 'approve' })).url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    return client.authorizationCodeGrant(app.config, landed, checks)
  }

  test('signs in with it, and leaves no other sign-in behind', async () => {
    const { access_token } = await byPassword(await newApp())
    expect((await me(access_token)).status).toBe(200)
    const open = await platform.database.db
      .selectFrom('sign_ins')
      .selectAll()
      .where('ended_at', 'is', null)
      .execute()
    expect(open).toEqual([])
  })

  test('who gave no second factor stays out of accounts that ask for one, with their apps as well', async () => {
    const { access_token } = await byPassword(await newApp())
    const proved = await tokensFor(await newApp())
    const { db } = platform.database
    const path = `/v1/accounts/${account_id}/members`
    expect((await me(access_token, path)).status).toBe(200)
    await db
      .updateTable('accounts')
      .set({ mfa_required: true })
      .where('account_id', '=', account_id)
      .execute()
    const refused = await me(access_token, path)
    expect(await refused.json()).toMatchObject({ status: 403, code: 'account_mfa_required' })
    expect((await me(proved.access_token, path)).status).toBe(200)
    await db
      .updateTable('accounts')
      .set({ mfa_required: false })
      .where('account_id', '=', account_id)
      .execute()
  })

  test('an app is over when the person is deactivated', async () => {
    const tokens = await tokensFor(await newApp())
    await tokenRows.revokeOfUser(platform.database.db, { user_id: platform.owner.user_id }, new Date())
    expect((await me(tokens.access_token)).status).toBe(401)
    const rows = await platform.database.db
      .selectFrom('oauth_artefacts')
      .select('model')
      .where('user_id', '=', platform.owner.user_id)
      .execute()
    expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(['AccessToken']))
    ownerToken = (await mint(platform.database.db, { kind: 'user', user_id: platform.owner.user_id })).token
  })
})

test('what ended a day ago is swept, and clients that nobody used', async () => {
  const { db } = platform.database
  const count = async (table: 'oauth_artefacts' | 'oauth_clients') =>
    (await db.selectFrom(table).select('client_id').execute()).length
  const days = (n: number) => ({ db, now: () => new Date(Date.now() + n * 86_400_000) })
  const before = await count('oauth_artefacts')
  await sweepOAuth(days(0))
  expect(await count('oauth_artefacts')).toBeLessThanOrEqual(before)
  expect(await count('oauth_clients')).toBeGreaterThan(0)
  await sweepOAuth(days(400))
  expect([await count('oauth_artefacts'), await count('oauth_clients')]).toEqual([0, 0])
})

test('any process of the API goes on with what another began', async () => {
  const other = await platform.another()
  const app = await newApp()
  const { url, verifier, state } = await ask(app)
  const landed = await allow(app, url)
  const response = await fetch(`${other.origin}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: app.config.clientMetadata().client_id,
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  })
  expect(state).toBe(landed.searchParams.get('state'))
  const token = pick(await response.json(), 'access_token')
  expect((await me(token)).status).toBe(200)
  expect(await platform.database.db.selectFrom('oauth_keys').selectAll().execute()).toHaveLength(1)
  await other.close()
})

test('behind TLS its cookies and its addresses are for TLS alone, whatever a request says', async () => {
  const app = await newApp()
  const settings = { ...platform.parts.settings, api_url: 'https://svc.example/v1' }
  const other = await platform.another({ settings })
  const { search } = (await ask(app)).url
  const response = await fetch(`${other.origin}/v1/oauth/authorize${search}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
  })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toMatch(/^\/v1\/oauth\/interaction\//)
  const cookies = response.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThanOrEqual(2)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/v1\/oauth.*; samesite=lax.*; secure.*; httponly/i)
    expect(cookie).not.toContain('evil.example')
  }
  const device = await fetch(`${other.origin}/v1/auth/device`, {
    method: 'POST',
    headers: { 'x-forwarded-for': app.browser.address },
    body: new URLSearchParams({ client_id: 'svc-cli', scope: 'svc' }),
  })
  expect(pick(await device.json(), 'verification_uri')).toBe('https://svc.example/v1/oauth/device')
  await other.close()
})

test('a copy of the database holds nothing that works, and the log nothing at all', async () => {
  const app = await newApp()
  const { url, verifier, state } = await ask(app)
  const landed = await allow(app, url)
  const tokens = await client.authorizationCodeGrant(app.config, landed, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const { db } = platform.database
  const tables = await Promise.all([
    db.selectFrom('oauth_artefacts').selectAll().execute(),
    db.selectFrom('oauth_keys').selectAll().execute(),
    db.selectFrom('oauth_clients').selectAll().execute(),
    db.selectFrom('audit_events').selectAll().execute(),
  ])
  const dump = JSON.stringify(tables)
  const log = platform.lines.join('\n')
  const secrets = [tokens.access_token, tokens.refresh_token, landed.searchParams.get('code'), ownerToken]
  for (const secret of secrets) {
    expect(secret).toBeTruthy()
    expect(dump).not.toContain(secret)
    expect(log).not.toContain(secret)
  }
  // What a browser holds would let somebody go on as the person.
  for (const value of app.browser.cookies()) expect(dump).not.toContain(value)
  for (const { sealed } of tables[0]) expect(sealed).toMatch(/^v1\./)
})
