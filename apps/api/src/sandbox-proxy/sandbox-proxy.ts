import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiParts } from '../parts.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { httpForwarder } from './forward-http.ts'
import { webSocketForwarder } from './forward-websocket.ts'

export interface SandboxProxy {
  http(req: IncomingMessage, res: ServerResponse): Promise<void>
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** `/v1/p/{external_id}/{port}/*`: previews and the session runtime, streamed both ways. */
export function createSandboxProxy(parts: ApiParts, limited: RequestLimits): SandboxProxy {
  return { http: httpForwarder(parts, limited), upgrade: webSocketForwarder(parts, limited) }
}
