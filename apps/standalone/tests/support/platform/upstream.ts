import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

export interface Upstream {
  readonly port: number
  close(): Promise<void>
}

/** A service that answers with the request that it sees; `/stream` says one thing, and the next when `/next` was asked for. */
export async function startUpstream(name: string): Promise<Upstream> {
  let next = (): void => undefined
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((req, res) => {
    if (req.url === '/stream') {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('data: one\n\n')
      next = () => res.end('data: two\n\n')
      return
    }
    if (req.url === '/next') next()
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ name, url: req.url, headers: req.headers }))
  })
  server.on('upgrade', (req: IncomingMessage, socket, head) =>
    sockets.handleUpgrade(req, socket, head, (peer) => {
      peer.on('message', (data) => peer.send(`${name} ${String(req.headers.host)} ${String(data)}`))
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const peer of sockets.clients) peer.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
