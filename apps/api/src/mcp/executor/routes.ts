import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { OpenAPIHono } from '@hono/zod-openapi'
import { ServiceError } from '@svc/errors'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ApiParts, AppEnv } from '../../parts.ts'
import { connectorParts } from '../../routes/connector-parts.ts'
import { whenAnswered } from '../../routes/when-answered.ts'
import { isOwnOrigin } from '../origin.ts'
import { executorServer } from './server.ts'

const path = '/v1/executor/mcp'
const projectHeader = 'X-Svc-Project'

/**
 * `svc-executor`: the connectors of a project as tools, for agents. Streamable HTTP without a session; the answer is an
 * event stream that begins at once, since a call may wait for a person.
 */
export function executorMcpRoutes(given: ApiParts) {
  const parts = connectorParts(given)
  const app = new OpenAPIHono<AppEnv>()
  app.post(path, async (c) => {
    if (!isOwnOrigin(c.req.header('Origin'), given.settings.api_url))
      throw new ServiceError(
        'forbidden',
        'A page of another origin may not use this MCP server; connect with a program',
      )
    const server = executorServer({
      ctx: { ...c.var.ctx, ...parts, when_answered: whenAnswered(c) },
      project_id: projectOf(c),
      version: given.version,
      wait: given.tool_wait ?? { seconds: 45, note_ms: 10_000 },
    })
    const transport = new WebStandardStreamableHTTPServerTransport()
    await server.connect(transport)
    return transport.handleRequest(c.req.raw)
  })
  app.on(['GET', 'DELETE'], path, () => {
    throw new ServiceError(
      'method_not_allowed',
      'This MCP server keeps no session: send each message as a POST',
    )
  })
  return app
}

/** That of the token, or else of the header, for those who have several. */
function projectOf(c: Context<AppEnv>): string {
  const { principal } = c.var
  if ('project_id' in principal) return principal.project_id
  const named = z.uuid().safeParse(c.req.header(projectHeader))
  if (named.success) return named.data
  throw new ServiceError(
    'invalid_request',
    `Name the project whose connectors you use in the header ${projectHeader}: its id; a token of one project needs none`,
  )
}
