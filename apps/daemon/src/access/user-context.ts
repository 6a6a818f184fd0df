import { createHmac, timingSafeEqual } from 'node:crypto'
import { UserContext } from '@svc/contract/sandbox'

export type ContextRefusal = 'missing' | 'malformed' | 'bad_signature' | 'expired' | 'wrong_sandbox'
export type ContextVerdict =
  | { readonly ok: true; readonly context: UserContext }
  | { readonly ok: false; readonly reason: ContextRefusal }

function sign(payload: string, key: string): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}

/** base64url(JSON) + "." + base64url(HMAC-SHA256 over that base64url text). */
export function signUserContext(context: UserContext, key: string): string {
  const payload = Buffer.from(JSON.stringify(context)).toString('base64url')
  return `${payload}.${sign(payload, key).toString('base64url')}`
}

/** `now` is in unix seconds. The signature is judged before anything of the payload is read. */
export function verifyUserContext(
  value: string | undefined,
  expected: { readonly key: string; readonly session_id: string; readonly now: number },
): ContextVerdict {
  if (value === undefined || value === '') return { ok: false, reason: 'missing' }
  const [payload, signature, ...rest] = value.split('.')
  if (!payload || !signature || rest.length > 0) return { ok: false, reason: 'malformed' }
  const given = Buffer.from(signature, 'base64url')
  const right = sign(payload, expected.key)
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    return { ok: false, reason: 'bad_signature' }
  }
  const parsed = UserContext.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8')))
  if (!parsed.success) return { ok: false, reason: 'malformed' }
  if (parsed.data.exp <= expected.now) return { ok: false, reason: 'expired' }
  if (parsed.data.sandboxId !== expected.session_id) return { ok: false, reason: 'wrong_sandbox' }
  return { ok: true, context: parsed.data }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
