import { actingUser, type Context, mayAlso } from '@svc/context'
import type { sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type AccessibleSession, requireSession, type SessionInput } from './find-session.ts'
import { isSelfOrDescendant } from '@svc/session'

/**
 * The access of a caller, who may read the project's sessions, to one of them. `closed`: see that it is there. `read`:
 * also what its agent said and did. `drive`: also speak to the agent.
 */
export type SessionAccess = 'closed' | 'read' | 'drive'

/**
 * The one decision that every route of a session asks. A private session is driven by its owner and the managers of
 * the project, a shared one by every person who may start sessions there. One that holds personal secrets is closed to
 * all but its owner. An agent drives its own session and those that descend from it: another one may have been granted
 * more.
 */
export function sessionAccess(
  { principal }: Pick<Context, 'principal'>,
  { project, session }: AccessibleSession,
): SessionAccess {
  if (isClosedTo(principal, session)) return 'closed'
  if (principal.type === 'session')
    return isSelfOrDescendant(session, principal.session_id) ? 'drive' : 'read'
  if (session.created_by === actingUser(principal)) return 'drive'
  if (mayAlso(principal, 'project.members.manage', project)) return 'drive'
  const shared = session.visibility === 'project' && mayAlso(principal, 'project.session.start', project)
  return shared ? 'drive' : 'read'
}

/** Not even another agent that acts for the owner sees into a session that holds personal secrets; its own agent does. */
export function isClosedTo(principal: Context['principal'], session: sessions.SessionView): boolean {
  if (!session.holds_personal_secrets) return false
  if (principal.type === 'session') return principal.session_id !== session.session_id
  return session.created_by !== actingUser(principal)
}

/** For what an agent said and did, where a secret of its owner may stand. */
export async function requireReader(
  ctx: Pick<Context, 'db' | 'principal'>,
  key: SessionInput,
): Promise<AccessibleSession> {
  const found = await requireSession(ctx, key, 'project.session.read')
  requireOpen(ctx, found)
  return found
}

/** The same of a session that was found, by one who may read those of its project. */
export function requireOpen(ctx: Pick<Context, 'principal'>, found: AccessibleSession): void {
  if (sessionAccess(ctx, found) === 'closed') throw closed()
}

/** True when the caller may speak to the agent of a session. An agent always may to itself. */
export function mayDrive(ctx: Pick<Context, 'principal'>, found: AccessibleSession): boolean {
  const { principal } = ctx
  const { session, project } = found
  if (session.requested.monitors) return false
  if (principal.type === 'session' && principal.session_id === session.session_id) return true
  return mayAlso(principal, 'project.session.start', project) && sessionAccess(ctx, found) === 'drive'
}

/**
 * For a caller who starts, restarts or changes a session. People are held to their role alone; agents to their own
 * tree.
 */
export async function requireKeeper(
  ctx: Pick<Context, 'db' | 'principal'>,
  key: SessionInput,
): Promise<AccessibleSession> {
  const found = await requireSession(ctx, key, 'project.session.start')
  const { principal } = ctx
  if (principal.type === 'session' && !isSelfOrDescendant(found.session, principal.session_id))
    throw othersSession('starts and changes')
  return found
}

function othersSession(what: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `An agent ${what} its own session and those that it started, and no other; ask a person to do it`,
    { action: 'project.session.start' },
  )
}

/** For a caller who speaks to the agent. */
export async function requireDriver(
  ctx: Pick<Context, 'db' | 'principal'>,
  key: SessionInput,
): Promise<AccessibleSession> {
  const found = await requireSession(ctx, key, 'project.session.start')
  if (found.session.requested.monitors)
    throw new ServiceError(
      'conflict',
      'This session runs the monitors of the project; no agent listens in it',
    )
  switch (sessionAccess(ctx, found)) {
    case 'closed':
      throw closed()
    case 'read':
      if (ctx.principal.type === 'session') throw othersSession('speaks to')
      throw new ServiceError(
        'forbidden',
        'Only the owner of the session or a manager of the project may speak to its agent; ask one of them',
        { action: 'project.session.start' },
      )
    case 'drive':
      return found
  }
}

function closed(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This session holds personal secrets or works with connections of its owner, who alone sees into it; ask them',
    { action: 'project.session.read' },
  )
}
