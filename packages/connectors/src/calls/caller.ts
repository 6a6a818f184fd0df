import {
  type AccessibleProject,
  type Context,
  requireActor,
  requireProject,
  requireSessionProject,
} from '@svc/context'
import { type CallActor, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The one who calls: what they may name, and as whom. */
export interface Caller {
  readonly project: AccessibleProject
  readonly session: sessions.SessionView | null
  readonly actor: CallActor
  /** The session, or else the user. */
  readonly actor_id: string
  /** Connectors that it may name; null for every one of the project. */
  readonly allowed: readonly string[] | null
}

/**
 * An agent may call the connectors that the manifest lists for it, whatever else it is granted: the list is the grant. Others
 * may if they could start a session that does.
 */
export async function requireCaller(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  project_id: string,
): Promise<Caller> {
  const { principal } = ctx
  if (principal.type !== 'session' || principal.project_id !== project_id) {
    const project = await requireProject(ctx, project_id, 'project.session.start')
    const user_id = requireActor(ctx)
    const type = principal.type === 'project' || principal.type === 'service' ? principal.type : 'user'
    return { project, session: null, actor: { type, user_id }, actor_id: user_id, allowed: null }
  }
  const { session_id, user_id } = principal
  const finding = sessions.find(ctx.db, { project_id, session_id })
  finding.catch(() => {})
  const project = await requireSessionProject(ctx, principal)
  const session = await finding
  if (!session) throw new ServiceError('session_token_revoked', 'The session was deleted; start another one')
  const allowed = (session.requested.connectors ?? []).map(({ slug }) => slug)
  return { project, session, actor: { type: 'session', user_id }, actor_id: session_id, allowed }
}
