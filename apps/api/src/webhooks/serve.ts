import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits, webhooks } from '@svc/contract'
import { causedBy } from '@svc/queue'
import { receiveWebhook, webhookBodyBytes } from '@svc/services'
import { within } from '@svc/timing'
import { clientClosedRequest } from '../door/client-left.ts'
import { json } from '../door/dialects.ts'
import { readIncoming } from '../door/read-up-to.ts'
import { rendered, type RenderedAnswer } from '../door/render.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { beginSocketVisit, type SocketVisit } from '../door/visit.ts'
import { deadlineRefusal } from '../middleware/deadline.ts'
import type { ApiParts } from '../parts.ts'
import type { WebhookAddress } from './address.ts'
import { incomingHeaders } from './incoming-headers.ts'
import { writeAnswer } from './write-answer.ts'

export type WebhookReceiver = (
  address: WebhookAddress,
  req: IncomingMessage,
  res: ServerResponse,
) => Promise<void>

const route = webhooks.receiveWebhook.path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * The receiver of webhooks on Node's own request: senders come in crowds, and the framework's work for a request costs
 * as much as keeping a delivery. Its answers, log lines and measurements are those of the framework's route.
 */
export function webhookReceiver(parts: ApiParts, limited: RequestLimits): WebhookReceiver {
  const { deadline_ms = limits.requestDeadlineMs } = parts
  return async (address, req, res) => {
    const visit = beginSocketVisit(parts, req)
    const refused = (error: unknown) => (hasLeft(req, res) ? left : rendered(error, json, visit))
    const counted = async (): Promise<RenderedAnswer> => {
      const headers = await limited.address(visit.address)
      // Work that it does after its deadline is kept all the same.
      const late = () => deadlineRefusal(deadline_ms)
      const answer = await within(deadline_ms, received(parts, visit, address, req), late).catch(refused)
      return { ...answer, headers: { ...answer.headers, ...headers } }
    }
    const answer = await counted().catch(refused)
    visit.ended({ route, status: answer.status })
    if (answer !== left && !res.destroyed)
      writeAnswer(res, visit.request_id, answer, req.headers.origin !== undefined)
  }
}

async function received(
  parts: ApiParts,
  visit: SocketVisit,
  address: WebhookAddress,
  req: IncomingMessage,
): Promise<RenderedAnswer> {
  const { db, vault, now, newId, settings, maintenance, enqueue, metrics } = parts
  const ctx = {
    ...{ db, vault, now, newId, settings, maintenance, metrics },
    traceparent: visit.cause.traceparent,
    enqueue: causedBy(enqueue, visit.cause),
    get log() {
      return visit.log
    },
  }
  const body = await receiveWebhook(ctx, {
    ...address,
    headers: incomingHeaders(req),
    body: () => readIncoming(req, webhookBodyBytes),
  })
  return { status: body.status === 'skipped' ? 200 : 202, headers: json.headers, text: JSON.stringify(body) }
}

/** A sender that left is no defect, and hears no answer. */
const left: RenderedAnswer = { status: clientClosedRequest, headers: {}, text: '' }

function hasLeft(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || req.socket.destroyed
}
