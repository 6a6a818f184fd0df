import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { greet } from './greet.ts'
import type { Visitors } from './visitors.ts'

export interface ListenParts {
  /** A socket of the platform's that this process was born with, or an address. */
  readonly at: { readonly fd: number } | { readonly host?: string; readonly port: number }
  readonly key: string
  readonly control: HttpServer
  readonly visitors: Visitors
}

/** The one way in: connections that begin with the control's words are the platform's, all others are visitors. */
export async function listen({ at, key, control, visitors }: ListenParts): Promise<Server> {
  const take = async (socket: Socket): Promise<void> => {
    switch (await greet(socket, key)) {
      case 'control':
        return void control.emit('connection', socket)
      case 'visitor':
        return visitors.join(socket)
      case 'refused':
        return void socket.destroy()
    }
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    void take(socket).catch(() => socket.destroy())
  })
  server.listen(at)
  await once(server, 'listening')
  return server
}
