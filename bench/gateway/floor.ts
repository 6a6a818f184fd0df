import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { Agent, request } from 'undici'
import { z } from 'zod'

/**
 * The least that a gateway with a durable hold can be: it reads a request, commits one row, asks the provider, and sends
 * on what comes. No key, no budget, no account of anything.
 */
const [connection_string = '', origin = ''] = process.argv.slice(2)
const client = new pg.Client({ connectionString: connection_string })
await client.connect()
await client.query('create table if not exists bench_floor (at timestamptz not null, body text not null)')
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
const insert = { name: 'floor', text: 'insert into bench_floor values (now(), $1)' }

const server = createServer((req, res) => {
  let text = ''
  req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  req.on('end', () => {
    const passOn = async () => {
      await client.query({ ...insert, values: [text.slice(0, 200)] })
      const headers = { 'content-type': 'application/json' }
      const answer = await request(origin, { method: 'POST', headers, body: text, dispatcher })
      res.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' })
      answer.body.pipe(res)
    }
    passOn().catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined))
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = z.object({ port: z.number() }).parse(server.address())
process.send?.({ port })
for (const ended of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(ended, () => process.exit(0))
