import { ServiceError } from '@svc/errors'
import { mayAlso, requireActor } from '../access/require.ts'
import type { Context } from '../context.ts'
import { type AccessibleSession, requireSession, type SessionInput } from './find-session.ts'
import { isClosedTo, requireInsight } from './require-insight.ts'

/** Whoever speaks to the agent: the owner of the session, a manager of the project, or whoever it is shared with. */
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
  requireInsight(ctx, found.session)
  if (mayDrive(ctx, found)) return found
  throw new ServiceError(
    'forbidden',
    'Only the owner of the session or a manager of the project may speak to its agent',
    { action: 'project.session.start' },
  )
}

/** As on the proxy. A session that holds personal secrets is its owner's alone. */
export function mayDrive(ctx: Pick<Context, 'principal'>, { project, session }: AccessibleSession): boolean {
  if (isClosedTo(ctx, session)) return false
  if (session.created_by === requireActor(ctx)) return true
  if (mayAlso(ctx.principal, 'project.members.manage', project)) return true
  return session.visibility === 'project' && mayAlso(ctx.principal, 'project.session.start', project)
}
