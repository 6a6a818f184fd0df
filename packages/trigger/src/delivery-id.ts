import { createHash } from 'node:crypto'
import type { WebhookRequest } from './webhook-auth.ts'

const idHeaders = ['x-github-delivery', 'webhook-id', 'x-svc-delivery'] as const
const longestId = 255

/** A repeat of a delivery within this time is the same delivery. */
export const repeatWindowMs = 24 * 3_600_000

/** What makes two requests the same delivery: the sender's id, else the signature with the body. */
export function deliveryId({ headers, body }: WebhookRequest, signature: string): string {
  for (const name of idHeaders) {
    const id = headers(name)
    if (id) return id.length <= longestId ? id : sha256(Buffer.from(id))
  }
  return sha256(Buffer.from(signature), body)
}

function sha256(...parts: readonly Uint8Array[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}
