import { keepBodies } from '@svc/spend'
import type { GatewayConfig } from '../config/config.ts'
import type { GatewayCore } from '../gateway-core.ts'
import type { Asked } from './asked.ts'

/** Each body is kept up to here. */
const maxBytes = 1_048_576

/** Request and answer of one call, gathered to be kept. */
export interface CallBodies {
  /** A piece of the answer of the candidate that answers. */
  add(piece: Uint8Array): void
  /** Forgets the answer that another candidate began. */
  restart(): void
  /** Once the call has ended; no call waits for it. */
  keep(call_id: string): void
}

/** Null where no place of the project keeps bodies, or where this gateway has nothing to keep them in. */
export function callBodies(
  core: Pick<GatewayCore, 'db' | 'now' | 'log' | 'objects' | 'sealer'>,
  { caller, text }: Pick<Asked, 'caller' | 'text'>,
  { settings }: Pick<GatewayConfig, 'settings'>,
): CallBodies | null {
  const place = [settings.project, settings.account, settings.operator].find(
    (one) => one?.log_bodies === true,
  )
  if (place === undefined) return null
  const { db, now, log, objects, sealer } = core
  const { project_id } = caller
  if (objects === undefined || sealer === undefined) {
    log.warn(
      { project_id },
      'bodies of calls are not kept: SVC_OBJECT_STORE or SVC_GATEWAY_MASTER_KEY is missing',
    )
    return null
  }
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    add(piece) {
      if (size < maxBytes) pieces.push(piece)
      size += piece.byteLength
    },
    restart() {
      pieces = []
      size = 0
    },
    keep(call_id) {
      const request = Buffer.from(text)
      const bodies = {
        request: request.toString('utf8', 0, maxBytes),
        answer: Buffer.concat(pieces).toString('utf8', 0, maxBytes),
        truncated: request.byteLength > maxBytes || size > maxBytes,
      }
      keepBodies(
        { db, now, objects, sealer },
        { project_id, call_id },
        { ...bodies, days: place.body_days },
      ).catch((err: unknown) =>
        log.warn({ err, project_id, call_id }, 'the bodies of a call could not be kept'),
      )
    },
  }
}
