import { once } from 'node:events'
import { createServer } from 'node:http'

/** Answers each delivery with 204 at once, in a process of its own, and tells how many came and when the last did. */
const arrivals = new Map<string, number>()
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([...arrivals]))
    arrivals.clear()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    arrivals.set(String(request.headers['webhook-id']), Date.now())
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = Object(server.address())
process.stdout.write(`${port}\n`)
