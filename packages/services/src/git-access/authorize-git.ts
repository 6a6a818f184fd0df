import { mayPushDefaultBranch, type SessionPrincipal } from '@svc/access'
import { type AccessibleProject, type Context, mayAlso, requireProject } from '@svc/context'
import { authorship, sessionCapacity, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { PushRules, Repository } from '@svc/git'
import { overStorage } from '../sessions/creation/cap.ts'
import { mayDrive } from '../sessions/session-access.ts'
import { authorizeCheckpoints } from './authorize-checkpoints.ts'
import { openRepository } from '../projects/repository.ts'

export interface GitAccess {
  readonly repository: Repository
  readonly rules: PushRules
  /** Asked with the branches that a push names, before git sees it, for those that it may not write. */
  readonly foreign?: (branches: readonly string[]) => Promise<readonly string[]>
  /** Called when git has taken a push. */
  readonly received?: () => Promise<void>
}

/** Access of a git client to the managed origin. The push rules guard the refs themselves. */
export async function authorizeGit(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal' | 'log' | 'now'>,
  input: { project_id: string; service: 'git-upload-pack' | 'git-receive-pack' },
): Promise<GitAccess> {
  if (ctx.principal.type === 'sandbox') return authorizeCheckpoints(ctx, ctx.principal, input)
  const capability = input.service === 'git-upload-pack' ? 'project.gitops.read' : 'project.gitops.push'
  const project = await requireProject(ctx, input.project_id, capability)
  if (project.kind !== 'managed')
    throw new ServiceError('not_found', 'This project lives on another git host; clone it from there')
  if (input.service === 'git-receive-pack') await requireStorage(ctx, project)
  const repository = await openRepository(ctx, project)
  const { principal } = ctx
  const anyRef = mayAlso(principal, 'project.gitops.ref.any', project)
  return {
    repository,
    ...branchesOf(ctx, project, anyRef),
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

/** Refuses a push while the repositories of the account hold more than its operator lets them. */
async function requireStorage(
  ctx: Pick<Context, 'db' | 'repositories' | 'signal'>,
  { project_id, limit_storage_mb }: AccessibleProject,
): Promise<void> {
  if (limit_storage_mb === null || limit_storage_mb === undefined) return
  const [{ bytes }, beside] = await Promise.all([
    ctx.repositories.measure(project_id, ctx.signal),
    sessionCapacity.storageBeside(ctx.db, project_id),
  ])
  if (bytes + beside > limit_storage_mb * 1_048_576) throw overStorage(limit_storage_mb)
}

type BranchContext = Pick<Context, 'db' | 'principal' | 'now'>

/**
 * The check of a push by the branches that it names. A session that may write other branches is noted as an author of
 * each before git takes it, since it may not merge its own work. A person whose role does not move branches of others may
 * write only those of sessions that they may drive.
 */
function branchesOf(
  ctx: BranchContext,
  project: AccessibleProject,
  anyRef: boolean,
): Pick<GitAccess, 'foreign'> {
  const { principal } = ctx
  if (principal.type === 'session') {
    if (!anyRef) return {}
    const { session_id } = principal
    return {
      foreign: (branches) =>
        noted(
          ctx,
          principal,
          branches.filter((name) => name !== session_id),
        ),
    }
  }
  if (anyRef || mayAlso(principal, 'project.gitops.ref.delete', project)) return {}
  return { foreign: (branches) => foreignOf(ctx, project, branches) }
}

async function noted(
  ctx: Pick<Context, 'db' | 'now'>,
  { project_id, session_id }: SessionPrincipal,
  branches: readonly string[],
): Promise<readonly string[]> {
  await authorship.pushed(ctx.db, { project_id, session_id, branches }, ctx.now())
  return []
}

async function foreignOf(
  ctx: BranchContext,
  project: AccessibleProject,
  branches: readonly string[],
): Promise<readonly string[]> {
  const found = await sessions.listByBranches(ctx.db, project.project_id, branches)
  return found.filter((session) => !mayDrive(ctx, { project, session })).map(({ branch_name }) => branch_name)
}
