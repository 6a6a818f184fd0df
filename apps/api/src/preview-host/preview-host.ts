import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PreviewPlace } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { throughDoor } from '../door/door.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import type { ApiParts } from '../parts.ts'
import { httpForwarder } from '../sandbox-proxy/forward-http.ts'
import { webSocketForwarder } from '../sandbox-proxy/forward-websocket.ts'
import { prepareResponseHeaders } from '../sandbox-proxy/headers.ts'
import type { Passage } from '../sandbox-proxy/passage.ts'
import { previewLabel } from './address.ts'
import { admitToPreview } from './admit.ts'
import { previewDialect } from './dialect.ts'
import { allowFrames, frameAncestors } from './frames.ts'
import { preparePreviewRequest } from './headers.ts'
import { exchangeTicket } from './open.ts'
import { takeTicket } from './ticket.ts'

export interface PreviewHost {
  /** True when a request is for a preview, and so for nothing else of the platform. */
  serves(req: IncomingMessage): boolean
  http(req: IncomingMessage, res: ServerResponse): Promise<void>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** `<random>.<SVC_PREVIEW_HOST>`: each name one port of one session, on an origin of its own. */
export function createPreviewHost(parts: ApiParts, limited: RequestLimits, place: PreviewPlace): PreviewHost {
  const { trust_proxy = false, settings } = parts
  const ancestors = frameAncestors(settings.api_url)
  const labelOf = (req: IncomingMessage) => previewLabel(req, place, trust_proxy)
  const passage: Passage = {
    route: 'preview',
    admit: async (exchange, req) =>
      admitToPreview(parts, { place, label: requireLabel(labelOf(req)), limited }, exchange, req),
    prepareRequest: preparePreviewRequest,
    prepareResponse: (headers, keep_alive) => {
      prepareResponseHeaders(headers, keep_alive)
      allowFrames(headers, ancestors)
    },
  }
  const forward = httpForwarder(passage)
  const { route } = passage
  return {
    serves: (req) => labelOf(req) !== undefined,
    http(req, res) {
      const label = labelOf(req)
      const log = parts.log.child({ preview: label?.slice(0, 8) ?? null })
      const ticketed = req.method === 'GET' ? takeTicket(req.url ?? '/') : null
      const options = { route, dialect: previewDialect(req, ancestors) }
      const enter = throughDoor({ ...parts, log }, limited, options, async (exchange) => {
        if (ticketed === null) return forward(exchange, req, res)
        await exchangeTicket(parts, { place, label: requireLabel(label) }, ticketed, res)
      })
      return enter(req, res)
    },
    upgrade: webSocketForwarder(parts, limited, passage),
  }
}

function requireLabel(label: string | null | undefined): string {
  if (label) return label
  throw new ServiceError('not_found', 'There is no preview of this name; open one from its session')
}
