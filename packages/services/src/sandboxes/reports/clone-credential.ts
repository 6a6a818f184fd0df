import { type Context, mintToken } from '@svc/context'
import { projects, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { cloneUrl } from '../../projects/present.ts'
import { connectedCredential } from '../../projects/repository.ts'
import { requireOwnSandbox, requireStillOwn } from './report-turn-stream.ts'

const lifetimeMs = 15 * 60_000

/** A credential for one clone, fetch or push: for the managed origin a short-lived token of the session. */
export async function getCloneCredential(
  ctx: Pick<Context, 'db' | 'principal' | 'vault' | 'settings' | 'now' | 'newId'>,
  input: { project_id: string },
) {
  const sandbox = requireOwnSandbox(ctx, input)
  const { session_id } = sandbox
  const [project, session] = await Promise.all([
    projects.find(ctx.db, input.project_id),
    sessions.find(ctx.db, { project_id: input.project_id, session_id }),
  ])
  if (!project || !session)
    throw new ServiceError('not_found', 'There is no such session; list those of the project')
  const repo_url = cloneUrl(ctx.settings, project)
  if (project.kind === 'connected') {
    const credential = connectedCredential(ctx, project)
    const auth = credential === null ? null : { ...credential, type: 'basic' as const }
    return {
      repo_url,
      auth,
      source: credential === null ? ('public' as const) : ('connected' as const),
      expires_at: null,
    }
  }
  const expires_at = new Date(ctx.now().getTime() + lifetimeMs)
  const { secret } = await ctx.db.transaction().execute(async (tx) => {
    await requireStillOwn(tx, sandbox)
    return mintToken(ctx, tx, {
      kind: 'session',
      name: 'git',
      user_id: session.created_by,
      project_id: input.project_id,
      session_id,
      expires_at,
    })
  })
  return {
    repo_url,
    auth: { username: 'x-access-token', token: secret, type: 'basic' as const },
    source: 'managed' as const,
    expires_at: expires_at.toISOString(),
  }
}
