import type { sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { actingUser } from '../access/require.ts'
import type { Context } from '../context.ts'

/**
 * Whether the session is shut to the caller: one that holds secrets of its owner alone is theirs and its own agent's, not
 * even that of another agent that acts for them.
 */
export function isClosedTo(
  { principal }: Pick<Context, 'principal'>,
  session: sessions.SessionView,
): boolean {
  if (!session.holds_personal_secrets) return false
  if (principal.type === 'session') return principal.session_id !== session.session_id
  return session.created_by !== actingUser(principal)
}

/** For what an agent said and did, where a secret of its owner may stand. */
export function requireInsight(ctx: Pick<Context, 'principal'>, session: sessions.SessionView): void {
  if (!isClosedTo(ctx, session)) return
  throw new ServiceError(
    'forbidden',
    'This session holds personal secrets of its owner, who alone sees into it',
    { action: 'project.session.read' },
  )
}
