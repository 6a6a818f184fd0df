import { sweepOAuth } from '@svc/identity/sweeps'
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { pick } from '../support/platform.ts'
import { platform, owner, callback, newApp, ask, allow, me } from './world.ts'

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
    expect(cookie).toMatch(
      /^__Secure-svc_oauth_\w+(\.sig)?=.*; path=\/v1\/oauth.*; samesite=lax.*; secure.*; httponly/i,
    )
    expect(cookie).not.toContain('evil.example')
  }
  const held = new Map(cookies.map((line) => [line.split('=')[0], line.split(';')[0]]))
  const own = () => ({ origin: 'https://svc.example', cookie: [...held.values()].join('; ') })
  const signedIn = await fetch(other.origin + response.headers.get('location'), {
    method: 'POST',
    redirect: 'manual',
    headers: own(),
    body: new URLSearchParams({ step: 'token', token: owner.token }),
  })
  const onward = new URL(signedIn.headers.get('location') ?? '')
  expect(onward.origin).toBe('https://svc.example')
  const known = await fetch(other.origin + onward.pathname, { redirect: 'manual', headers: own() })
  const whole = known.headers.getSetCookie().filter((line) => !line.startsWith('__Secure-'))
  expect(whole.map((line) => line.split('=')[0])).toEqual(['__Host-svc_oauth', '__Host-svc_oauth.sig'])
  for (const line of whole) expect(line).toMatch(/; path=\/; samesite=lax; secure; httponly/i)
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
  const secrets = [tokens.access_token, tokens.refresh_token, landed.searchParams.get('code'), owner.token]
  for (const secret of secrets) {
    expect(secret).toBeTruthy()
    expect(dump).not.toContain(secret)
    expect(log).not.toContain(secret)
  }
  // A browser's cookies would let their holder go on as the person.
  for (const value of app.browser.cookies()) expect(dump).not.toContain(value)
  for (const { sealed } of tables[0]) expect(sealed).toMatch(/^v1\./)
})
