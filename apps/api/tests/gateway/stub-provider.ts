import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll } from 'vitest'
import { z } from 'zod'

type Answering = (req: IncomingMessage, res: ServerResponse) => void

const listing: Answering = (_, res) =>
  void res.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"one"},{"id":"two"}]}')

/** A model provider that lists two models, until it is told to answer otherwise. */
export async function stubProvider() {
  let answering = listing
  const asked: { readonly url: string; readonly key: string | undefined }[] = []
  const server = createServer((req, res) => {
    asked.push({ url: req.url ?? '', key: req.headers.authorization })
    answering(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    asked,
    answers: (how: Answering | null) => void (answering = how ?? listing),
  }
}
