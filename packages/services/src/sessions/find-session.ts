import { type AccessibleProject, type Context, requireProject } from '@svc/context'
import type { Capability } from '@svc/facts'
import { sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'

export interface SessionInput {
  readonly project_id: string
  readonly session_id: string
}

export interface AccessibleSession {
  readonly project: AccessibleProject
  readonly session: sessions.SessionView
}

/** The session, once the principal was found to hold `capability` on its project. */
export async function requireSession(
  ctx: Pick<Context, 'db' | 'principal'>,
  key: SessionInput,
  capability: Capability,
): Promise<AccessibleSession> {
  const project = await requireProject(ctx, key.project_id, capability)
  return { project, session: await getSessionRow(ctx, key) }
}

export async function getSessionRow(
  ctx: Pick<Context, 'db'>,
  key: SessionInput,
): Promise<sessions.SessionView> {
  const session = await sessions.find(ctx.db, key)
  if (!session) throw new ServiceError('not_found', 'There is no such session; list those of the project')
  return session
}
