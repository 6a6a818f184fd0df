import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { ServiceError } from '@svc/errors'
import { createApp } from './app.ts'
import { computerDoor, isComputerPath } from './computers/serve.ts'
import { gitDoor } from './git-http/serve.ts'
import { oauthRoute } from './oauth/paths.ts'
import { oauthServer } from './oauth/serve.ts'
import type { ApiParts, AppEnv } from './parts.ts'
import { createPreviewHost } from './preview-host/preview-host.ts'
import { requestLimits } from './door/request-limits.ts'
import { refuseUpgrade } from './door/refuse-upgrade.ts'
import { beginSocketVisit, pathOf } from './door/visit.ts'
import { createSandboxProxy } from './sandbox-proxy/sandbox-proxy.ts'
import { OpenStreams } from './stream/open-streams.ts'
import { webhookAddress } from './webhooks/address.ts'
import { webhookReceiver } from './webhooks/serve.ts'

export interface Api {
  /** The REST API alone, for requests that do not come over a socket. */
  readonly app: OpenAPIHono<AppEnv>
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Ends the event streams that are open and those that would open later. */
  endStreams(): void
}

/**
 * Git and the proxy are byte streams, webhooks come in crowds, and the authorization server has a framework of its own:
 * they are served on Node's own request, the rest by ours. Requests for a preview are told apart before all of them.
 */
export function createApi(parts: ApiParts): Api {
  const streams = new OpenStreams((by) => parts.metrics.add('svc_sse_streams', { kind: 'session' }, by))
  const limited = requestLimits(parts)
  const app = createApp(parts, streams, limited)
  const listener = getRequestListener(app.fetch)
  const git = gitDoor(parts, limited)
  const proxy = createSandboxProxy(parts, limited)
  const receive = webhookReceiver(parts, limited)
  const oauth = oauthServer(parts, limited)
  const computers = computerDoor(parts, limited)
  const { previews: place } = parts.settings
  const previews = place ? createPreviewHost(parts, limited, place) : null
  return {
    app,
    handle(req, res) {
      if (previews?.serves(req)) return previews.http(req, res)
      const path = pathOf(req)
      if (path.startsWith('/v1/git/')) return git(req, res)
      if (path.startsWith('/v1/p/')) return proxy.http(req, res)
      if (isComputerPath(path)) return computers.http(req, res)
      const route = oauthRoute(path)
      if (route !== null) return oauth(route, req, res)
      const hook = req.method === 'POST' ? webhookAddress(path) : null
      if (hook !== null) return receive(hook, req, res)
      return listener(req, res)
    },
    async upgrade(req, socket, head) {
      if (previews?.serves(req)) return previews.upgrade(req, socket, head)
      const path = pathOf(req)
      if (path.startsWith('/v1/p/')) return proxy.upgrade(req, socket, head)
      if (isComputerPath(path)) return computers.upgrade(req, socket, head)
      const nothing = new ServiceError(
        'not_found',
        'Nothing can be upgraded at this path; WebSockets of a sandbox go to /v1/p/{external_id}/{port}/',
      )
      refuseUpgrade(socket, beginSocketVisit(parts, req), nothing, 'none')
    },
    endStreams: () => streams.close(),
  }
}
