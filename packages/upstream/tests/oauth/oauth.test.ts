import { afterEach, expect, test } from 'vitest'
import {
  beginOAuth,
  discoverOAuth,
  fetchOver,
  finishOAuth,
  mcpProvider,
  type OAuthServer,
  refreshOAuth,
  registerOAuthClient,
  revokeOAuth,
} from '../../src/index.ts'
import { type GuardedOptions, startGuardedMcp } from '../../src/testing/guarded-mcp.ts'
import { oddServer } from '../../src/testing/odd-server.ts'
import { serve } from '../../src/testing/serve.ts'
import { mcpOptions } from '../support/mcp-options.ts'
import { callOptions, mcpTarget } from '../support/target.ts'
import { loopbackWire } from '../support/wire.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const redirect_uri = 'http://127.0.0.1:9/callback'
const now = new Date('2026-01-01T00:00:00Z')

function newFetch() {
  const { wire, sent, close } = loopbackWire()
  closers.push(close)
  return { wire, sent, fetch: fetchOver(wire, AbortSignal.timeout(60_000)) }
}

async function startGuarded(more: GuardedOptions = {}) {
  const guarded = await startGuardedMcp(more)
  closers.push(guarded.close)
  return guarded
}

test('from a 401 to a call: discovery, registration, sign-in, code, refresh, revocation', async () => {
  const { issuer, server: mcp } = await startGuarded()
  const { wire, sent, fetch } = newFetch()
  const server = await discoverOAuth({ url: mcp.url }, fetch)
  expect(server).toMatchObject({
    issuer: issuer.origin,
    resource: mcp.url,
    scopes: ['tools', 'offline_access'],
    names_itself: true,
  })
  const client = await registerOAuthClient(server, { redirect_uri, client_name: 'svc' }, fetch)
  expect(client).toEqual({ client_id: expect.any(String) })

  const begun = await beginOAuth(server, client, redirect_uri)
  const page = new URL(begun.authorization_url).searchParams
  expect(Object.fromEntries(page)).toMatchObject({
    code_challenge_method: 'S256',
    resource: mcp.url,
    state: begun.state,
    client_id: client.client_id,
  })
  const back = (await issuer.signIn(begun.authorization_url, redirect_uri)).searchParams
  expect(back.get('state')).toBe(begun.state)
  const returned = {
    code: back.get('code') ?? '',
    iss: back.get('iss'),
    verifier: begun.verifier,
    redirect_uri,
    now,
  }
  for (const iss of ['https://evil.example', null])
    await expect(finishOAuth(server, client, { ...returned, iss }, fetch)).rejects.toMatchObject({
      reason: 'connector_not_connected',
    })
  const tokens = await finishOAuth(server, client, returned, fetch)
  expect(tokens).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: '2026-01-01T00:10:00.000Z',
  })
  expect(await issuer.audienceOf(tokens.access_token)).toBe(mcp.url)

  const provider = mcpProvider(mcpOptions(wire))
  closers.push(provider.close)
  const call = { action: 'a', binding: {}, risk: 'read' } as const
  const connected = (access_token: string) =>
    mcpTarget(mcp.url, { session_scope: 'p', credential: { access_token } })
  expect(await provider.call(connected(tokens.access_token), call, {}, callOptions().options)).toMatchObject({
    ok: true,
  })

  const refreshed = await refreshOAuth(
    server,
    client,
    { refresh_token: tokens.refresh_token ?? '', now },
    fetch,
  )
  expect(refreshed.access_token).not.toBe(tokens.access_token)
  expect(
    await provider.call(connected(refreshed.access_token), call, {}, callOptions().options),
  ).toMatchObject({ ok: true })
  const value = refreshed.refresh_token ?? ''
  expect(await revokeOAuth(server, client, { value, hint: 'refresh_token' }, fetch)).toBe(true)
  await expect(refreshOAuth(server, client, { refresh_token: value, now }, fetch)).rejects.toMatchObject({
    reason: 'connection_expired',
    message: expect.stringMatching(/invalid_grant.*connect it again/),
  })
  expect(await provider.call(connected('stolen'), call, {}, callOptions().options)).toMatchObject({
    reason: 'connection_expired',
  })
  // The code is used up: a copy of it is worth nothing.
  await expect(finishOAuth(server, client, returned, fetch)).rejects.toMatchObject({
    reason: 'connector_not_connected',
  })
  expect(
    sent.filter(({ url }) => url.endsWith('/token')).every(({ body }) => body.includes('resource=')),
  ).toBe(true)
})

test.each([
  ['another origin', () => 'http://127.0.0.1:1/mcp'],
  ['a path below', (origin: string) => `${origin}/mcp/deeper`],
  ['a path beside', (origin: string) => `${origin}/mc`],
])('metadata for %s are refused', async (_, resource) => {
  const { server } = await startGuarded({ resource })
  await expect(discoverOAuth({ url: server.url }, newFetch().fetch)).rejects.toMatchObject({
    reason: 'connector_unusable',
    message: expect.stringContaining('correct `url`'),
  })
})

test('metadata for the whole origin are taken, and scopes of the manifest come first', async () => {
  const { server } = await startGuarded({ resource: (origin) => `${origin}/` })
  const found = await discoverOAuth({ url: server.url, scopes: ['openid'] }, newFetch().fetch)
  expect(found).toMatchObject({ resource: `${server.origin}/`, scopes: ['openid', 'offline_access'] })
})

test('an issuer that registers nothing asks for a client id', async () => {
  const { server: mcp } = await startGuarded({ registers: false })
  const { fetch } = newFetch()
  const server = await discoverOAuth({ url: mcp.url }, fetch)
  await expect(
    registerOAuthClient(server, { redirect_uri, client_name: 'svc' }, fetch),
  ).rejects.toMatchObject({
    reason: 'connector_unusable',
    message: expect.stringContaining('`oauth.client_id`'),
  })
})

/** A server that is its own issuer, with metadata of its own. */
async function startOwnIssuer(metadata: (origin: string) => object, token: object = {}) {
  const http = await serve((req, res) => {
    const json = (status: number, body: object) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const origin = `http://${req.headers.host}`
    const standard = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
    }
    if (req.url === '/mcp') res.writeHead(401).end()
    else if (req.url === '/.well-known/oauth-authorization-server')
      json(200, { ...standard, ...metadata(origin) })
    else if (req.url === '/token') json('error' in token ? 400 : 200, token)
    else res.writeHead(404).end()
  })
  closers.push(http.close)
  return http
}

test('a server of before these metadata is its own issuer', async () => {
  const http = await startOwnIssuer(() => ({ revocation_endpoint: undefined }))
  const { fetch } = newFetch()
  const server = await discoverOAuth({ url: `${http.origin}/mcp` }, fetch)
  expect(server).toMatchObject({ issuer: http.origin, resource: `${http.origin}/mcp`, names_itself: false })
  expect(await revokeOAuth(server, { client_id: 'c' }, { value: 't', hint: 'access_token' }, fetch)).toBe(
    false,
  )
})

test.each([
  ['another issuer', () => ({ issuer: 'https://other.example' }), /another issuer/],
  ['no PKCE', () => ({ code_challenge_methods_supported: ['plain'] }), /PKCE/],
  ['a page without TLS elsewhere', () => ({ authorization_endpoint: 'http://other.example/a' }), /https/],
  ['a page that is code', () => ({ authorization_endpoint: 'javascript:alert(1)' }), /shape/],
])('metadata with %s are refused', async (_, metadata, message) => {
  const http = await startOwnIssuer(metadata)
  await expect(discoverOAuth({ url: `${http.origin}/mcp` }, newFetch().fetch)).rejects.toMatchObject({
    reason: 'connector_unusable',
    message: expect.stringMatching(message),
  })
})

test.each([
  ['of another type', { access_token: 'a', token_type: 'mac' }, 'connector_unusable'],
  ['that are none', { token: 1 }, 'connector_unusable'],
  ['in trouble', { error: 'server_error' }, 'upstream_error'],
  ['refused', { error: 'invalid_client' }, 'connection_expired'],
])('tokens %s are refused', async (_, token, reason) => {
  const http = await startOwnIssuer(() => ({}), token)
  const { fetch } = newFetch()
  const server: OAuthServer = await discoverOAuth({ url: `${http.origin}/mcp` }, fetch)
  await expect(
    refreshOAuth(server, { client_id: 'c' }, { refresh_token: 'r', now }, fetch),
  ).rejects.toMatchObject({ reason })
})

test('a server that asks nothing, and one that cannot be reached, say so', async () => {
  const open = await oddServer({})
  closers.push(open.close)
  const { fetch } = newFetch()
  await expect(discoverOAuth({ url: open.url }, fetch)).rejects.toThrow(/asks for no sign-in/)
  await expect(discoverOAuth({ url: 'http://127.0.0.1:1/mcp' }, fetch)).rejects.toMatchObject({
    reason: 'upstream_unreachable',
  })
})
