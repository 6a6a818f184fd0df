import * as client from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { pick } from '../support/platform.ts'
import { type App, platform, clock, callback, newApp, ask, allow, tokensFor, me, refusal } from './world.ts'

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
    clock.ahead = 3_599_000
    expect((await me(access_token)).status).toBe(200)
    clock.ahead = 3_601_000
    expect(await (await me(access_token)).json()).toMatchObject({ code: 'session_token_revoked' })
    clock.ahead = 0
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
  const defaults = { client_id, grant_type: 'refresh_token', response_type: 'code', redirect_uri: callback }
  for (const value of odd)
    for (const name of names) {
      const fields = { ...defaults, [name]: value }
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
