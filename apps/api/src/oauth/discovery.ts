import { OpenAPIHono } from '@hono/zod-openapi'
import { ServiceError } from '@svc/errors'
import { oauthScopes } from '@svc/identity'
import { createMiddleware } from 'hono/factory'
import type { ApiParts, AppEnv } from '../parts.ts'
import { issuerOf } from './issuer.ts'
import { deviceGrant, oauthPaths } from './paths.ts'

const resourcePath = '/.well-known/oauth-protected-resource'

/** RFC 8414 and RFC 9728: how a client that knows only our address finds its way to a token. */
export function discoveryRoutes(parts: Pick<ApiParts, 'settings'>) {
  const app = new OpenAPIHono<AppEnv>()
  const issuer = issuerOf(parts)
  const at = (path: string) => `${issuer}${path}`
  const server = {
    issuer,
    authorization_endpoint: at(oauthPaths.authorize),
    token_endpoint: at(oauthPaths.token),
    registration_endpoint: at(oauthPaths.register),
    revocation_endpoint: at(oauthPaths.revoke),
    userinfo_endpoint: at(oauthPaths.userinfo),
    device_authorization_endpoint: at(oauthPaths.device),
    jwks_uri: at(oauthPaths.keys),
    scopes_supported: oauthScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
  const resource = (path: string) => ({
    resource: at(path),
    authorization_servers: [issuer],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ['header'],
  })
  app.use('/.well-known/*', async (c, next) => {
    c.header('Access-Control-Allow-Origin', '*')
    await next()
  })
  app.get('/.well-known/oauth-authorization-server', (c) => c.json(server))
  app.get(resourcePath, (c) => c.json(resource('')))
  for (const path of ['/v1', '/v1/mcp']) app.get(`${resourcePath}${path}`, (c) => c.json(resource(path)))
  return app
}

/** Tells an MCP client that is not let in where it may ask for a token. */
export function mcpChallenge(parts: Pick<ApiParts, 'settings'>) {
  const metadata = `resource_metadata="${issuerOf(parts)}${resourcePath}/v1/mcp"`
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.res.status === 401) c.header('WWW-Authenticate', `Bearer ${metadata}, scope="svc"`)
    if (c.error instanceof ServiceError && c.error.code === 'insufficient_scope')
      c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="svc", ${metadata}`)
  })
}
