import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@svc/boot'
import { limits, webhooks } from '@svc/contract'
import { receiveWebhook, webhookBodyBytes } from '@svc/services'
import { clientAddress, noProxy } from '../middleware/client-address.ts'
import { deadlineRefusal } from '../middleware/deadline.ts'
import { clientClosedRequest } from '../middleware/errors.ts'
import { requestIdOf } from '../middleware/request-id.ts'
import type { ApiParts } from '../parts.ts'
import type { RequestLimits } from '../rate-limit/request-limits.ts'
import { header, pathOf } from '../raw/exchange.ts'
import { readIncoming } from '../raw/read-up-to.ts'
import type { WebhookAddress } from './address.ts'
import { type Answer, lowerCased, refusedAnswer, writeAnswer } from './answer.ts'
import { incomingHeaders } from './incoming-headers.ts'

export type WebhookReceiver = (
  address: WebhookAddress,
  req: IncomingMessage,
  res: ServerResponse,
) => Promise<void>

const route = webhooks.receiveWebhook.path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * The receiver of webhooks on Node's own request: senders come in crowds, and what the framework does for a request costs
 * as much as keeping a delivery. Its answers, log lines and measurements are those of the framework's route.
 */
export function webhookReceiver(parts: ApiParts, limited: RequestLimits): WebhookReceiver {
  const { deadline_ms = limits.requestDeadlineMs } = parts
  return async (address, req, res) => {
    const started = performance.now()
    const request_id = requestIdOf(header(req, 'x-request-id'))
    const log = onFirstUse(() => parts.log.child({ request_id }))
    const refused = (error: unknown) => (hasLeft(req, res) ? left : refusedAnswer(error, log))
    const counted = async (): Promise<Answer> => {
      const headers = lowerCased(await limited.address(clientAddress(req, parts.is_proxy ?? noProxy)))
      const answer = await inTime(received(parts, log, address, req), deadline_ms).catch(refused)
      return { ...answer, headers: { ...answer.headers, ...headers } }
    }
    const answer = await counted().catch(refused)
    const seconds = (performance.now() - started) / 1000
    const { status } = answer
    parts.metrics?.observe({ method: 'POST', route, status, seconds })
    if (parts.log.isLevelEnabled('info')) {
      const duration_ms = Math.round(seconds * 1e5) / 100
      log().info({ method: 'POST', path: pathOf(req), status, duration_ms }, 'request')
    }
    if (status !== clientClosedRequest && !res.destroyed)
      writeAnswer(res, request_id, answer, req.headers.origin !== undefined)
  }
}

async function received(
  parts: ApiParts,
  log: () => Logger,
  address: WebhookAddress,
  req: IncomingMessage,
): Promise<Answer> {
  const { db, vault, now, newId, settings, enqueue } = parts
  const ctx = {
    ...{ db, vault, now, newId, settings, enqueue },
    get log() {
      return log()
    },
  }
  const body = await receiveWebhook(ctx, {
    ...address,
    headers: incomingHeaders(req),
    body: () => readIncoming(req, webhookBodyBytes),
  })
  return { status: body.status === 'skipped' ? 200 : 202, body, headers: {} }
}

/** A sender that left is no defect, and hears no answer. */
const left: Answer = { status: clientClosedRequest, body: {}, headers: {} }

function hasLeft(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || req.socket.destroyed
}

/** 503 when the work takes longer; what it does by then is kept all the same. */
async function inTime<T>(work: Promise<T>, limit_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlineRefusal(limit_ms)), limit_ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A line that nobody reads costs nothing. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
