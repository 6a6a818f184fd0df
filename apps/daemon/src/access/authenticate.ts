import { type UserContext, userContextHeader, userContextQuery } from '@svc/contract/sandbox'
import { bringsKey } from './same-secret.ts'
import { verifyUserContext } from './user-context.ts'

export type Caller = { readonly kind: 'platform' } | { readonly kind: 'user'; readonly context: UserContext }
export type Access =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly status: 401 | 403 | 503; readonly body: Record<string, unknown> }

export interface Credentials {
  readonly authorization: string | undefined
  readonly userContext: string | undefined
}

export type Authenticate = (credentials: Credentials, accepts: 'user' | 'platform or user') => Access

export function createAuthenticate(parts: {
  readonly service_key: string | undefined
  readonly session_id: string
  readonly now: () => number
}): Authenticate {
  return ({ authorization, userContext }, accepts) => {
    const { service_key: key, session_id, now } = parts
    if (key === undefined) {
      const message = 'This sandbox has no service key'
      return { ok: false, status: 503, body: { error: true, message, status: 503, code: 'no_service_key' } }
    }
    if (accepts === 'platform or user' && bringsKey(authorization, key)) {
      return { ok: true, caller: { kind: 'platform' } }
    }
    const verdict = verifyUserContext(userContext, { key, session_id, now: Math.floor(now() / 1000) })
    if (verdict.ok) return { ok: true, caller: { kind: 'user', context: verdict.context } }
    return { ok: false, status: 401, body: { error: 'unauthorized', reason: verdict.reason } }
  }
}

/** True when the caller may drive the agent: a viewer may only look. */
export function mayDrive(caller: Caller): boolean {
  return caller.kind === 'platform' || caller.context.sandboxRole !== 'viewer'
}

/** The context travels as a header, or as a query value where a browser can set no header. */
export function credentialsOf(
  header: (name: string) => string | undefined,
  query: URLSearchParams,
): Credentials {
  return {
    authorization: header('authorization'),
    userContext: header(userContextHeader) ?? query.get(userContextQuery) ?? undefined,
  }
}
