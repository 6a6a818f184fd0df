import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { OpenAPIHono } from '@hono/zod-openapi'
import { ServiceError } from '@svc/errors'
import { type McpServerFactory, mcpServers } from '@svc/mcp'
import { openApiDocument } from '../docs/openapi.ts'
import { addressOf } from '../door/client-address.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import { isOwnOrigin } from './origin.ts'

/**
 * The MCP server over the routes of `served`, as streamable HTTP without a session: each message is answered by
 * itself. A tool's call is one more request of the same caller from the same address, so that it meets the same rules,
 * the same limits and the same log.
 */
export function mcpRoutes(
  served: OpenAPIHono<AppEnv>,
  { version, settings, is_proxy }: Pick<ApiParts, 'version' | 'settings' | 'is_proxy'>,
) {
  const app = new OpenAPIHono<AppEnv>()
  let servers: McpServerFactory | undefined
  app.post('/v1/mcp', async (c) => {
    if (!isOwnOrigin(c.req.header('Origin'), settings.api_url)) {
      throw new ServiceError(
        'forbidden',
        'A page of another origin may not use this MCP server; connect with a program',
      )
    }
    servers ??= mcpServers({ document: openApiDocument(served, version), version })
    const own = { Authorization: c.req.header('Authorization') ?? '', 'X-Request-Id': c.var.visit.request_id }
    const client_address = addressOf(c, is_proxy)
    const server = servers(async (path, { headers, ...request }) =>
      served.request(path, { ...request, headers: { ...headers, ...own } }, { client_address }),
    )
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return transport.handleRequest(c.req.raw)
  })
  app.on(['GET', 'DELETE'], '/v1/mcp', () => {
    throw new ServiceError(
      'method_not_allowed',
      'This MCP server keeps no session: send each message as a POST',
    )
  })
  return app
}
