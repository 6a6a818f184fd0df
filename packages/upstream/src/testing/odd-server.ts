import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { serve } from './serve.ts'

interface Called {
  readonly args: Record<string, unknown>
  readonly server: Server
  readonly signal: AbortSignal
}

interface Oddities {
  readonly tools?: () => readonly object[]
  /** Pages of tools; a cursor is the number of its page. */
  readonly pages?: (page: number) => { readonly tools: readonly object[]; readonly next?: string }
  readonly call?: (name: string, called: Called) => Promise<CallToolResult>
  /** Answers instead of the server where it returns true. */
  readonly before?: (req: IncomingMessage, res: ServerResponse, body: string) => boolean
  /** The same, for what has to be looked up. */
  readonly guard?: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>
}

/** An MCP server on this machine whose parts can be made to misbehave. */
export async function oddServer({ tools = () => [], pages, call, before, guard }: Oddities) {
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: Server }>()
  const calls: string[] = []
  let opened = 0

  async function newSession() {
    const server = new Server(
      { name: 'odd', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    )
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      const page = pages?.(Number(params?.cursor ?? 0)) ?? { tools: tools() }
      return { tools: page.tools as never, ...('next' in page ? { nextCursor: page.next } : {}) }
    })
    server.setRequestHandler(
      CallToolRequestSchema,
      async ({ params: { name, arguments: args = {} } }, { signal }) => {
        calls.push(name)
        return (await call?.(name, { args, server, signal })) ?? { content: [] }
      },
    )
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as Parameters<Server['connect']>[0])
    opened++
    return transport
  }

  const http = await serve((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (before?.(req, res, body)) return
      void (async () => {
        if (await guard?.(req, res)) return
        const id = req.headers['mcp-session-id']
        const known = typeof id === 'string' ? sessions.get(id) : undefined
        if ((id !== undefined && known === undefined) || req.url !== '/mcp') {
          res.writeHead(404).end('no such session')
          return
        }
        const transport = known?.transport ?? (await newSession())
        await transport.handleRequest(req, res, body === '' ? undefined : JSON.parse(body))
      })()
    })
  })
  return {
    ...http,
    url: `${http.origin}/mcp`,
    sessions,
    calls,
    opened: () => opened,
    /** As after a restart. */
    forget: () => sessions.clear(),
  }
}
