import { type Context, requireActor } from '@svc/context'
import type { UserContext } from '@svc/contract'
import type { SandboxRow } from '@svc/db'
import type { AccessibleSession } from '../../sessions/find-session.ts'
import { sessionAccess } from '../../sessions/session-access.ts'
import { serviceKey } from '../provision/service-key.ts'
import { signUserContext } from './user-context.ts'

type SandboxRole = UserContext['sandboxRole']

/** The caller's role in the sandbox of a session. A person whom the session is shared with has a manager's. */
export function sandboxRole(
  ctx: Pick<Context, 'principal' | 'trail'>,
  found: AccessibleSession,
): SandboxRole {
  if (found.session.created_by === requireActor(ctx)) return 'owner'
  return sessionAccess(ctx, found) === 'drive' ? 'manager' : 'viewer'
}

/** The platform's word for the caller, which the daemon of this sandbox believes. */
export function callerContext(
  ctx: Pick<Context, 'principal' | 'vault' | 'now' | 'trail'>,
  { project, session }: AccessibleSession,
  sandbox: Pick<SandboxRow, 'session_id' | 'sealed_service_key'>,
  role: SandboxRole,
): string {
  const scopes = role === 'viewer' ? ['read'] : ['read', 'write']
  const context = { user_id: requireActor(ctx), sandbox_id: session.session_id, role, scopes }
  return signUserContext(serviceKey(ctx, project, sandbox), context, ctx.now())
}
