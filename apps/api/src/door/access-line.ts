import { uuidPattern } from '@svc/facts'
import type { Principal } from '@svc/access'
import { askerOf, type AuditTrail } from '@svc/context'

/** The caller of a request, as far as it came to be known on the way. */
export interface Caller {
  principal?: Principal
  trail?: AuditTrail
}

interface Answered extends Caller {
  readonly route: string
  readonly path: string
}

/** The part of an access line that says who asked, and for what: ids alone, null for what is not known. */
export function callerFacts({ principal, trail, route, path }: Answered) {
  const actor = principal === undefined ? null : askerOf({ principal }).actor
  const own = { account_id: null, project_id: null, session_id: null, token_id: null, ...principal }
  return {
    actor_type: actor?.type ?? null,
    actor_id: actor?.id ?? null,
    token_id: own.token_id,
    account_id: trail?.subject?.account_id ?? own.account_id ?? idInPath('account_id', route, path),
    project_id: trail?.subject?.project_id ?? own.project_id ?? idInPath('project_id', route, path),
    session_id: own.session_id ?? idInPath('session_id', route, path),
  }
}

/** The end of the span of a request: the names of HTTP's conventions, and ids alone. */
export function spanEnd(
  { method, route, status }: { readonly method: string; readonly route: string; readonly status: number },
  { account_id, project_id, session_id }: ReturnType<typeof callerFacts>,
) {
  return {
    name: `${method} ${route}`,
    failed: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'svc.account_id': account_id,
      'svc.project_id': project_id,
      'svc.session_id': session_id,
    },
  }
}

function idInPath(name: string, route: string, path: string): string | null {
  const at = route.split('/').findIndex((part) => part === `:${name}` || part.startsWith(`:${name}{`))
  const value = at < 0 ? undefined : path.split('/')[at]
  return value !== undefined && uuidPattern.test(value) ? value : null
}
