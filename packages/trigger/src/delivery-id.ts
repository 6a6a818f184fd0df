import { createHash } from 'node:crypto'
import type { WebhookProof, WebhookRequest } from './webhook-auth.ts'

const idHeaders = ['x-github-delivery', 'webhook-id', 'x-svc-delivery'] as const
const maxId = 255

/** A repeat of a delivery within this time is the same delivery. */
export const repeatWindowMs = 24 * 3_600_000

/**
 * The id by which two requests are the same delivery: the id that their signature signs, else the one that the sender
 * gives, else the signature with the body. A token says nothing of a request, so that without an id each has a fresh
 * one.
 */
export function deliveryId(
  { headers, body }: WebhookRequest,
  { signature, signed_id }: WebhookProof,
  fresh_id: string,
): string {
  const id = signed_id ?? idHeaders.map(headers).find((value) => value)
  if (id) return id.length <= maxId ? id : sha256(Buffer.from(id))
  return signature === null ? fresh_id : sha256(signature, body)
}

function sha256(...parts: readonly Uint8Array[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}
