import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { authenticate, recordingRefusal } from '@svc/context'
import { type ComputerDoor, noExecutor, serveComputer } from '@svc/connectors'
import { ServiceError } from '@svc/errors'
import { bearerToken } from '@svc/facts'
import { ClientLeft } from '../door/client-left.ts'
import { json } from '../door/dialects.ts'
import { admit, contextOf, type Exchange, setHeaders, throughDoor } from '../door/door.ts'
import { refuseUpgrade } from '../door/refuse-upgrade.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { beginSocketVisit, header, pathOf } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import { connectorParts } from '../routes/connector-parts.ts'

const route = '/v1/projects/:project_id/connectors/:slug/connections/:connection_id/computer'
const pattern =
  /^\/v1\/projects\/([0-9a-f-]{36})\/connectors\/([a-z0-9_-]+)\/connections\/([0-9a-f-]{36})\/computer$/

/** True for the path at which a paired computer is served. */
export const isComputerPath = (path: string): boolean => pattern.test(path)

const noDoor: ComputerDoor = async () => noExecutor.ready()

/** The WebSockets of paired computers: who asks is checked here, and the bytes go to the executor, whose they are. */
export function computerDoor(parts: ApiParts, limited: RequestLimits) {
  const { computer_door = noDoor } = parts

  async function admitted(exchange: Exchange, req: IncomingMessage) {
    const token = bearerToken(header(req, 'authorization'))
    if (token === null)
      throw new ServiceError('unauthorized', 'This needs a token: Authorization: Bearer <token>')
    const [, project_id = '', slug = '', connection_id = ''] = pattern.exec(pathOf(req)) ?? []
    const named = { action: 'serveComputer', target: exchange.path.replace(/^\/v1\//, '') }
    const { principal, limits } = await admit(parts, limited, exchange, named, () =>
      authenticate(parts, token),
    )
    const ctx = { ...contextOf(parts, exchange, principal), ...connectorParts(parts) }
    const served = await recordingRefusal(ctx, { ...named, principal, trail: exchange.trail }, () =>
      serveComputer(ctx, { project_id, slug, connection_id }),
    )
    return { ...served, limits }
  }

  return {
    /** A plain request learns why an upgrade would be refused. */
    http: throughDoor(parts, limited, { route, dialect: json }, async (exchange, req, res) => {
      setHeaders(res, (await admitted(exchange, req)).limits)
      throw new ServiceError(
        'invalid_request',
        'A computer is served over a WebSocket: `svc connectors serve computer` opens it',
      )
    }),
    async upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      const visit = beginSocketVisit(parts, req)
      const controller = new AbortController()
      socket.once('close', () => controller.abort(new ClientLeft()))
      socket.on('error', () => socket.destroy())
      try {
        if (header(req, 'upgrade')?.toLowerCase() !== 'websocket')
          throw new ServiceError(
            'invalid_request',
            'Only WebSocket connections can be upgraded; send Upgrade: websocket, or ask without Upgrade',
          )
        await limited.address(visit.address)
        const { connection, began } = await admitted(Object.assign(visit, { signal: controller.signal }), req)
        if (socket.destroyed) return
        await computer_door(connection, { request: req, socket, head })
        visit.ended({ route, status: 101 })
        await began().catch((err: unknown) => visit.log.error({ err }, 'an audit event was not written'))
      } catch (error) {
        if (!controller.signal.aborted) refuseUpgrade(socket, visit, error, route)
      }
    },
  }
}
