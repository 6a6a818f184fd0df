import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { dial } from '../../../network/dial.ts'
import { EgressRefusal } from '../../../network/egress-refusal.ts'
import type { Egress } from '../../../network/egress.ts'
import { createHttpProxy } from '../../../network/http-proxy.ts'
import { joinSockets } from '../../../network/join-sockets.ts'
import type { Reach } from '../../../network/reach.ts'
import { readLine } from '../../../network/read-line.ts'
import { serveSocket, type SocketServer } from '../../../network/serve-socket.ts'
import { parseGreeting } from './greeting.ts'

/** More connections than this at a time are one sandbox taking what belongs to all. */
const maxConnections = 512

/**
 * The one way out of sandboxes with a network of their own: a unix socket that their daemons connect to. The relay
 * believes no more of a sandbox than its unguessable id, and decides itself where it may go.
 */
export async function openRelay(parts: {
  readonly path: string
  readonly egress: Egress
  /** Null for a sandbox that is not this deployment's. */
  readonly reachOf: (external_id: string) => Promise<Reach | null>
}): Promise<SocketServer> {
  const open = new Map<string, number>()
  const reaches = new WeakMap<Duplex, Reach>()
  const proxy = createHttpProxy(async (client, target) => {
    const reach = reaches.get(client)
    if (reach === undefined) throw new EgressRefusal('it is not known')
    return dial(parts.egress, reach, target)
  })

  async function serve(socket: Socket): Promise<void> {
    const greeting = parseGreeting((await readLine(socket)) ?? '')
    const reach = greeting === null ? null : await parts.reachOf(greeting.external_id)
    if (greeting === null || reach === null || socket.destroyed) return void socket.destroy()
    const { external_id, target } = greeting
    const count = (open.get(external_id) ?? 0) + 1
    if (count > maxConnections) return void socket.destroy()
    open.set(external_id, count)
    socket.once('close', () => leave(external_id))
    if (target !== 'proxy') return joinSockets(socket, await dial(parts.egress, reach, target))
    reaches.set(socket, reach)
    proxy.emit('connection', socket)
  }

  function leave(external_id: string): void {
    const left = (open.get(external_id) ?? 1) - 1
    if (left === 0) open.delete(external_id)
    else open.set(external_id, left)
  }

  // Sandboxes have users of their own; the folder around it is what keeps others out.
  const server = await serveSocket({ path: parts.path, mode: 0o666, serve })
  return {
    close: async (force) => {
      // Those who come now go to another relay; those who have come and wait to be taken are taken.
      await rm(parts.path, { force: true })
      await turn()
      await server.close(force)
    },
  }
}
