import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

interface FakeAnswer {
  readonly status: number
  readonly json: unknown
}

/** JSON over HTTP on a port of this machine; null never answers. */
export async function fakeServer(answer: (request: FakeRequest) => FakeAnswer | null) {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const url = new URL(req.url ?? '/', 'http://fake.invalid')
      const found = answer({
        method: req.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: req.headers,
        body: text === '' ? {} : JSON.parse(text),
      })
      if (found === null) return
      const isEmpty = found.status === 204
      res.writeHead(found.status, { 'content-type': 'application/json' })
      res.end(isEmpty ? undefined : JSON.stringify(found.json))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A run that a fake was asked for. */
export interface FakeRun {
  readonly action: string
  readonly user: unknown
  readonly account: unknown
  readonly args: unknown
  readonly version: unknown
}

/** An aggregator of which a test can turn the parts that its people turn. */
export interface FakeAggregator {
  readonly origin: string
  readonly runs: readonly FakeRun[]
  /** A person follows the page and connects an account. */
  readonly connect: (page: string) => void
  /** The account of the last connection stops to work. */
  readonly expire: () => void
  /** The key of the platform is good for nothing any more. */
  readonly lock: () => void
  readonly close: () => Promise<void>
}
