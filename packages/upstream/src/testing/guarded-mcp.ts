import type { IncomingMessage, ServerResponse } from 'node:http'
import { startIssuer } from './issuer.ts'
import { oddServer } from './odd-server.ts'

export interface GuardedOptions {
  /** False for an issuer that registers no client by itself. */
  readonly registers?: boolean
  /** The address that its tokens are for, as its metadata say it. */
  readonly resource?: (origin: string) => string
  readonly tools?: () => readonly object[]
}

/** An MCP server that takes tokens of an issuer alone, and says where to get one. */
export async function startGuardedMcp(more: GuardedOptions = {}) {
  const issuer = await startIssuer(more)
  const resource = more.resource ?? ((origin: string) => `${origin}/mcp`)
  const server = await oddServer({
    ...(more.tools && { tools: more.tools }),
    call: async () => ({ content: [{ type: 'text', text: 'in' }] }),
    guard: async (req: IncomingMessage, res: ServerResponse) => {
      const origin = `http://${req.headers.host}`
      if (req.url === '/.well-known/oauth-protected-resource/mcp') {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end(
          JSON.stringify({
            resource: resource(origin),
            authorization_servers: [issuer.origin],
            scopes_supported: ['tools'],
          }),
        )
        return true
      }
      const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1]
      if (token !== undefined && (await issuer.audienceOf(token)) === resource(origin)) return false
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
      return true
    },
  })
  return {
    issuer,
    server,
    close: async () => {
      await server.close()
      await issuer.close()
    },
  }
}
