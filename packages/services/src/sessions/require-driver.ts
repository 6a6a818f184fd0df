import { ServiceError } from '@svc/errors'
import { mayAlso, requireActor } from '../access/require.ts'
import type { Context } from '../context.ts'
import { type AccessibleSession, requireSession, type SessionInput } from './find-session.ts'

/** Whoever speaks to the agent: the owner of the session or a manager of the project, as on the proxy. */
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
  const isOwner = found.session.created_by === requireActor(ctx)
  if (isOwner || mayAlso(ctx.principal, 'project.members.manage', found.project)) return found
  throw new ServiceError(
    'forbidden',
    'Only the owner of the session or a manager of the project may speak to its agent',
    { action: 'project.session.start' },
  )
}
