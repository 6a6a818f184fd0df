import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { tokenPrefix } from '@svc/access'
import * as client from 'openid-client'
import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { pick } from '../support/platform.ts'
import { bearer, platform, callback, newApp, ask, allow, tokensFor, me, refusal, revoke } from './world.ts'

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
    const { client_id } = app.config.clientMetadata()
    const ends = platform.database.db
      .selectFrom('audit_events')
      .select(['outcome', 'details'])
      .where('action', '=', 'revokeOAuthToken')
      .where('target', '=', `oauth/clients/${client_id}`)
    expect(await ends.execute()).toEqual([{ outcome: 'denied', details: { client_id, reason: 'reuse' } }])
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
