import type { PlatformEvent } from './types.ts'

/** A delivery that was not sent by the platform, or not lately. */
export class EventVerificationError extends Error {
  override readonly name = 'EventVerificationError'
}

type HeaderSource =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** Seconds that a delivery's clock may be off, either way. */
const toleranceSeconds = 300

/**
 * The event of a delivery, once its signature is right: Standard Webhooks, version 1 (https://www.standardwebhooks.com).
 * `raw_body` is the body as it arrived, before anything parsed it. Throws `EventVerificationError` for a missing or wrong
 * signature and for one that is more than five minutes old. An event may arrive more than once: keep its `id`.
 */
export async function verifyEvent(
  secret: string,
  headers: HeaderSource,
  raw_body: string | Uint8Array,
): Promise<PlatformEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) throw new EventVerificationError('The timestamp is too old or too new')
  const body = typeof raw_body === 'string' ? raw_body : new TextDecoder().decode(raw_body)
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  for (const signature of signatures.split(' ')) {
    const [version, given = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(given), message))) {
      return JSON.parse(body)
    }
  }
  throw new EventVerificationError('The signature does not belong to this body and secret')
}

function header(headers: HeaderSource, name: string): string {
  const found = typeof headers.get === 'function' ? headers.get(name) : [Object(headers)[name]].flat()[0]
  if (typeof found === 'string' && found !== '') return found
  throw new EventVerificationError(`The header ${name} is missing`)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
