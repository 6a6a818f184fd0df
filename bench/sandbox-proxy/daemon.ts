import { once } from 'node:events'
import { createServer } from 'node:http'

/** The daemon's side of `/proxy/3000/`: `large` is streamed in pieces as Node reads files, `small` is 1 KiB. */
const [piece, pieces] = [Buffer.alloc(64 * 1024, 'a'), 1024]
const small = Buffer.alloc(1024, 'b')

const server = createServer((request, response) => {
  if (request.url?.startsWith('/svc/health')) return void response.end('{"repo":{"state":"ready"}}')
  if (request.url !== '/proxy/3000/large') return void response.end(small)
  let left = pieces
  const more = (): void => {
    for (; left > 0; left -= 1)
      if (!response.write(piece)) return void ((left -= 1), response.once('drain', more))
    response.end()
  }
  more()
}).listen(0, '127.0.0.1')
if (!server.listening) await once(server, 'listening')
const address = server.address()
process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` })
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))
