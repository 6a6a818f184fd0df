import type { BaseContext } from '@svc/context'
import { triggerDeliveries, type triggers } from '@svc/db'
import type { HeaderLookup } from '@svc/trigger'
import { loggedHeaders } from './logged-headers.ts'

/** Names are asked for and listed in lower case. */
export interface DeliveredHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
}

export interface WebhookInput {
  readonly project_id: string
  readonly slug: string
  readonly headers: DeliveredHeaders
  /** Reads the body; `whole` is false when it went on beyond what is read. */
  readonly body: () => Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }>
}

/** A delivery whose webhook is found and whose body is read. */
export interface IncomingDelivery {
  readonly row: triggers.ReceivingTrigger
  readonly input: WebhookInput
  readonly headers: HeaderLookup
  readonly bytes: Uint8Array
}

type RowContext = Pick<BaseContext, 'now' | 'newId'>

/** The row of the log of deliveries, but for its verdict and the id by which repeats are known. */
export function deliveryRow(ctx: RowContext, { row, input, bytes }: IncomingDelivery) {
  return {
    receipt_id: ctx.newId(),
    project_id: row.project_id,
    slug: row.slug,
    received_at: ctx.now(),
    headers: loggedHeaders(input.headers),
    body: asBuffer(bytes),
    body_bytes: bytes.length,
    redelivery_of: null,
  }
}

/** The ids of a fire and of the session it starts, drawn before either is kept. */
export function firstIds({ newId }: Pick<BaseContext, 'newId'>) {
  return { fire_id: newId(), planned_session_id: newId() }
}

const refusedKeptMs = 3_600_000
const refusedKept = 100

/** Logs a delivery that was refused, without its body; few are kept, and not for long. */
export async function logRefused(
  ctx: RowContext & Pick<BaseContext, 'db'>,
  incoming: IncomingDelivery,
  reason: string,
): Promise<void> {
  const row = deliveryRow(ctx, incoming)
  const delivery = { ...row, delivery_id: null, body: null, verdict: 'refused' as const, reason }
  const since = new Date(row.received_at.getTime() - refusedKeptMs)
  await triggerDeliveries.insertRefused(ctx.db, delivery, since, refusedKept)
}

/** The same bytes, not a copy of them. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
