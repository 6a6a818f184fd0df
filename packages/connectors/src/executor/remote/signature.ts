import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '@svc/vault'

/** A request of the API to an executor, as it is signed. */
export interface SignedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string
  /** Unix time in seconds. */
  readonly time: number
}

export const timeHeader = 'x-svc-executor-time'
export const signatureHeader = 'x-svc-executor-signature'

/** A request is accepted for so many seconds, so that one that was overheard is of no use later. */
const validSeconds = 60

/** The key of these signatures, which follows from the master key and opens nothing. */
export function executorKey(master_key: string | Buffer): Buffer {
  return derivedKey(master_key, 'executor-requests')
}

/** HMAC-SHA256 in hexadecimal over time, method, path and body. */
export function signRequest(key: Buffer, { method, path, body, time }: SignedRequest): string {
  return createHmac('sha256', key).update(`${time}\n${method}\n${path}\n${body}`).digest('hex')
}

/** True when one of the keys signed it, and not longer ago than a minute; clocks may differ by as much. */
export function isSigned(keys: readonly Buffer[], request: SignedRequest, given: string, now: Date): boolean {
  const age = Math.abs(now.getTime() / 1000 - request.time)
  // Every key is tried, whichever is right.
  const right = keys.filter((key) => isSame(signRequest(key, request), given))
  return right.length > 0 && age <= validSeconds
}

/** Digests first, so that it takes the same time whatever the lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
