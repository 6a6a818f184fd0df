import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { HeaderLookup } from './payload.ts'

export interface WebhookRequest {
  readonly headers: HeaderLookup
  /** The body as it arrived: not one byte more, less or different. */
  readonly body: Uint8Array
}

/** The proof that the sender knew the secret. */
export interface WebhookProof {
  /** The bytes that every spelling of the signature stands for; null where a token was sent. */
  readonly signature: Uint8Array | null
  /** The delivery's id where the signature is over it too. */
  readonly signed_id: string | null
}

export type WebhookVerdict =
  ({ readonly kind: 'accepted' } & WebhookProof) | { readonly kind: 'refused'; readonly reason: string }

/** Signature headers in their order; the first that is there decides, and with one no token is looked at. */
const signatureHeaders = ['x-svc-signature', 'x-hub-signature-256', 'webhook-signature'] as const

/**
 * Judges if the sender knew one of the secrets: the one in force, and during a rotation the one before it. Compared in
 * constant time; an empty secret accepts no sender.
 */
export function judgeWebhook(request: WebhookRequest, secrets: readonly string[], now: Date): WebhookVerdict {
  const usable = secrets.filter((secret) => secret !== '')
  for (const name of signatureHeaders) {
    const signature = request.headers(name)
    if (signature === null) continue
    const proof =
      name === 'webhook-signature'
        ? standardProof(request, signature, usable, now)
        : hexProof(request, signature, usable)
    if (typeof proof !== 'string') return { kind: 'accepted', ...proof }
    return { kind: 'refused', reason: `${name}: ${proof}` }
  }
  const token = tokenOf(request.headers)
  if (token === null) return { kind: 'refused', reason: 'neither a signature nor a token was sent' }
  const known = usable.map((secret) => sameText(token, secret)).includes(true)
  if (!known) return { kind: 'refused', reason: 'the token is not the secret' }
  return { kind: 'accepted', signature: null, signed_id: null }
}

/** HMAC-SHA256 over the raw body as 64 hexadecimal digits, with or without `sha256=`. A text says what is wrong. */
function hexProof(
  { body }: WebhookRequest,
  signature: string,
  secrets: readonly string[],
): WebhookProof | string {
  const digits = /^(?:sha256=)?([0-9a-fA-F]{64})$/.exec(signature)?.[1]
  if (digits === undefined) return 'must be 64 hexadecimal digits, optionally after sha256='
  const given = Buffer.from(digits, 'hex')
  const right = secrets.map((secret) => timingSafeEqual(given, hmac(Buffer.from(secret), [body])))
  if (!right.includes(true)) return 'does not belong to this body and secret'
  return { signature: given, signed_id: null }
}

export const toleranceSeconds = 300

/** Standard Webhooks: `v1,<base64>` items over `id.timestamp.body`, not older or newer than five minutes. */
function standardProof(
  { headers, body }: WebhookRequest,
  signature: string,
  secrets: readonly string[],
  now: Date,
): WebhookProof | string {
  const id = headers('webhook-id')
  const timestamp = headers('webhook-timestamp')
  if (!id || !timestamp) return 'needs webhook-id and webhook-timestamp'
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp must be seconds since 1970'
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    return `webhook-timestamp is more than ${toleranceSeconds} seconds away`
  const signed = [Buffer.from(`${id}.${timestamp}.`), body]
  const expected = secrets.flatMap(standardKeys).map((key) => hmac(key, signed))
  // Base64 has one writing for these bytes: the texts are compared, never a lenient decoding.
  const items = signature.split(' ').slice(0, 16)
  const right = items.flatMap((item) => expected.map((sum) => sameText(item, `v1,${sum.toString('base64')}`)))
  if (!right.includes(true)) return 'does not belong to this message and secret'
  return { signature: Buffer.from(signature), signed_id: id }
}

/** The field writes keys in Base64, mostly behind `whsec_`; people also choose a plain text. */
function standardKeys(secret: string): Buffer[] {
  const base64 = secret.replace(/^whsec_/, '')
  const decoded = Buffer.from(base64, 'base64')
  const isBase64 = decoded.length > 0 && decoded.toString('base64') === base64
  return [Buffer.from(secret), ...(isBase64 ? [decoded] : [])]
}

/** `X-Svc-Token`, else Bearer, else the password half of Basic. */
function tokenOf(headers: HeaderLookup): string | null {
  const own = headers('x-svc-token')
  if (own !== null) return own
  const authorization = headers('authorization') ?? ''
  const bearer = /^Bearer +(.+?) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return bearer
  const basic = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1]
  if (basic === undefined) return null
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon === -1 ? null : pair.slice(colon + 1)
}

function hmac(key: Buffer, parts: readonly Uint8Array[]): Buffer {
  const sum = createHmac('sha256', key)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/** Texts of any length in a time that tells nothing of either. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
