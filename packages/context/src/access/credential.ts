import { createHash } from 'node:crypto'
import { type TokenPrefix, tokenPrefix } from '@svc/access'
import { ServiceError } from '@svc/errors'

/** Only the SHA-256 of a token is stored: a copy of the database holds nothing to sign in with. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Form in which a token is kept for later checks: no caller can sign in with it. */
export interface StoredCredential {
  readonly prefix: TokenPrefix
  readonly hash: Buffer
}

/** Null for a token that the platform never formed. */
export function storedCredential(token: string): StoredCredential | null {
  const prefix = tokenPrefix(token)
  return prefix === null ? null : { prefix, hash: tokenHash(token) }
}

export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The token is missing or not valid; sign in again')
}
