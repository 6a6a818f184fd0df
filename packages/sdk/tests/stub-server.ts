import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Takes the request and its number from 0 on; answers by writing to `response`. */
export type Handler = (request: SeenRequest, response: ServerResponse, index: number) => void | Promise<void>

export interface StubServer {
  readonly api_url: string
  readonly seen: SeenRequest[]
  close(): Promise<void>
}

export async function startStub(handler: Handler): Promise<StubServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(entry)
      await handler(entry, response, seen.length - 1)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  return {
    api_url: `http://127.0.0.1:${address.port}/v1`,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
  response.end(JSON.stringify(value))
}
