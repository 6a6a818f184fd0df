import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { platform, insecure } from './world.ts'

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
