import { createHmac } from 'node:crypto'
import { limits, type UserContext } from '@svc/contract'

export interface ContextInput {
  readonly user_id: string
  readonly sandbox_id: string
  readonly role: UserContext['sandboxRole']
  readonly scopes: readonly string[]
}

/** `X-Svc-User-Context`: base64url(JSON) "." base64url(HMAC-SHA256(service key, that text)). */
export function signUserContext(service_key: string, input: ContextInput, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000)
  const payload: UserContext = {
    userId: input.user_id,
    sandboxId: input.sandbox_id,
    sandboxRole: input.role,
    scopes: [...input.scopes],
    iat,
    exp: iat + limits.userContextTtlSeconds,
  }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${createHmac('sha256', service_key).update(text).digest('base64url')}`
}
