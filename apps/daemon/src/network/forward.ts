import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { dialRelay, type RelaySettings } from './relay.ts'

export interface Forwarders {
  /** Taken by the daemon: nothing of the project's is behind them. */
  readonly ports: readonly number[]
  close(): void
}

/** Listens where the platform and the proxy are for every program of the sandbox, and passes connections on. */
export async function openForwarders(settings: RelaySettings): Promise<Forwarders> {
  const all: { at: string; target: string }[] = [
    { at: settings.proxy, target: 'proxy' },
    ...settings.targets.map((target) => ({ at: target, target })),
  ]
  const servers = await Promise.all(
    all.map(({ at, target }) => openForwarder(at, () => dialRelay(settings, target))),
  )
  return {
    ports: all.map(({ at }) => portOf(at)),
    close: () => {
      for (const server of servers) server.close()
    },
  }
}

async function openForwarder(at: string, dial: () => Promise<Socket>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    dial().then(
      (relay) => {
        pass(socket, relay)
        pass(relay, socket)
      },
      () => socket.destroy(),
    )
  })
  server.listen({ host: at.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''), port: portOf(at) })
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Error(`The sandbox cannot listen at ${at}, where it is to reach the platform`, { cause })
  })
  return server
}

export function pass(from: Socket, to: Socket): void {
  pipeline(from, to, (error) => {
    if (!error) return
    from.destroy()
    to.destroy()
  })
}

function portOf(at: string): number {
  return Number(/:(\d+)$/.exec(at)?.[1])
}
