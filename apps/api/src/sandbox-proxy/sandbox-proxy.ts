import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { json } from '../door/dialects.ts'
import { throughDoor } from '../door/door.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import type { ApiParts } from '../parts.ts'
import { admitWithToken } from './authorize.ts'
import { httpForwarder } from './forward-http.ts'
import { webSocketForwarder } from './forward-websocket.ts'
import { confineResponseHeaders, prepareRequestHeaders } from './headers.ts'
import type { Passage } from './passage.ts'

export interface SandboxProxy {
  http(req: IncomingMessage, res: ServerResponse): Promise<void>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** `/v1/p/{external_id}/{port}/*`: previews and the session runtime, streamed both ways. */
export function createSandboxProxy(parts: ApiParts, limited: RequestLimits): SandboxProxy {
  const passage: Passage = {
    route: '/v1/p/:external_id/:port',
    admit: (exchange, req, upgrade) => admitWithToken(parts, limited, exchange, req, upgrade),
    prepareRequest: prepareRequestHeaders,
    prepareResponse: confineResponseHeaders,
  }
  const { route } = passage
  return {
    http: throughDoor(parts, limited, { route, dialect: json }, httpForwarder(passage)),
    upgrade: webSocketForwarder(parts, limited, passage),
  }
}
