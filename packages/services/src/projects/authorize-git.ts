import { mayPushDefaultBranch } from '@svc/access'
import { ServiceError } from '@svc/errors'
import type { PushRules, Repository } from '@svc/git'
import { mayAlso, requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'
import { authorizeCheckpoints } from '../sandboxes/authorize-checkpoints.ts'
import { openRepository } from './repository.ts'

export interface GitAccess {
  readonly repository: Repository
  readonly rules: PushRules
  /** Called when git has taken a push. */
  readonly received?: () => Promise<void>
}

/** What a git client may do on the managed origin. The refs themselves are guarded by the push rules. */
export async function authorizeGit(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal' | 'log'>,
  input: { project_id: string; service: 'git-upload-pack' | 'git-receive-pack' },
): Promise<GitAccess> {
  if (ctx.principal.type === 'sandbox') return authorizeCheckpoints(ctx, ctx.principal, input)
  const capability = input.service === 'git-upload-pack' ? 'project.gitops.read' : 'project.gitops.push'
  const project = await requireProject(ctx, input.project_id, capability)
  if (project.kind !== 'managed')
    throw new ServiceError('not_found', 'This project lives on another git host')
  const repository = await openRepository(ctx, project)
  const { principal } = ctx
  const anyRef = mayAlso(principal, 'project.gitops.ref.any', project)
  return {
    repository,
    rules: {
      default_branch: project.default_branch,
      default_allowed: mayPushDefaultBranch(principal, {
        project_id: project.project_id,
        role: project.project_role,
        extra: project.extra ?? [],
      }),
      only_branch: principal.type === 'session' && !anyRef ? principal.session_id : null,
      delete_allowed: mayAlso(principal, 'project.gitops.ref.delete', project),
      read_only: false,
    },
  }
}
