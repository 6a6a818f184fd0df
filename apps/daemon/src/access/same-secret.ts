import { bearerToken } from '@svc/facts'
import { createHash, timingSafeEqual } from 'node:crypto'

/** Digests first, so that the compare takes the same time whatever the lengths. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** True when a request brings this key, as a bearer token (RFC 6750). */
export function bringsKey(authorization: string | undefined, key: string): boolean {
  const bearer = bearerToken(authorization)
  return bearer !== null && sameSecret(bearer, key)
}
