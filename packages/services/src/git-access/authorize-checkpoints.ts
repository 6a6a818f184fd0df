import type { SandboxPrincipal } from '@svc/access'
import { type Context, forbidden } from '@svc/context'
import { projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { removeCheckpoints } from '@svc/git'
import type { GitAccess } from './authorize-git.ts'

/** The newest is the one that is restored; one more lets a sandbox that reads it finish. */
const kept = 3

/**
 * The store of a sandbox's own checkpoints. A managed project keeps them in its repository, hidden from other clients;
 * for a connected one the platform has a repository of its own, which holds nothing but checkpoints.
 */
export async function authorizeCheckpoints(
  ctx: Pick<Context, 'db' | 'repositories' | 'signal' | 'log'>,
  principal: SandboxPrincipal,
  { project_id }: { readonly project_id: string },
): Promise<GitAccess> {
  const { session_id } = principal
  if (principal.project_id !== project_id)
    throw forbidden(
      'sandbox.checkpoint',
      'This sandbox service key belongs to another project; use the one of this sandbox',
    )
  const project = await projects.find(ctx.db, project_id)
  if (project?.status !== 'active')
    throw new ServiceError('not_found', 'There is no such project; list those that you reach')
  if (project.kind === 'connected') await ctx.repositories.createManaged(project_id, project.default_branch)
  const repository = await ctx.repositories.open({ kind: 'managed', project_id }, { signal: ctx.signal })
  return {
    repository,
    rules: {
      default_branch: project.default_branch,
      default_allowed: false,
      only_branch: session_id,
      delete_allowed: false,
      read_only: false,
      checkpoints_of: session_id,
    },
    received: () =>
      removeCheckpoints(repository, session_id, kept).catch((error: unknown) => {
        ctx.log.warn({ err: error, session_id }, 'old checkpoints were not removed')
      }),
  }
}
