import { branchName } from '@svc/change-request'
import { type AccessibleProject, type Context, requireProject } from '@svc/context'
import { ServiceError } from '@svc/errors'
import * as git from '@svc/git'
import { openRepository } from '../projects/repository.ts'

export type ReadContext = Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'signal'>

interface OpenedAt {
  readonly project: AccessibleProject
  readonly repository: git.Repository
  readonly ref: string
  /** Null for the default branch of an empty repository. */
  readonly sha: string | null
}

/** The repository at a branch, the default one when none is named. */
export async function openAt(
  ctx: ReadContext,
  input: { readonly project_id: string; readonly ref?: string | undefined },
): Promise<OpenedAt> {
  const project = await requireProject(ctx, input.project_id, 'project.file.read')
  const repository = await openRepository(ctx, project)
  const ref = branchName(input.ref ?? project.default_branch)
  const sha = await git.resolveBranch(repository, ref)
  if (sha === null && ref !== project.default_branch) throw noBranch(ref)
  return { project, repository, ref, sha }
}

/** The commit that a branch of an opened repository points to. */
export async function tipOf(repository: git.Repository, branch: string): Promise<string> {
  const sha = await git.resolveBranch(repository, branch)
  if (sha === null) throw noBranch(branch)
  return sha
}

function noBranch(ref: string): ServiceError {
  return new ServiceError('not_found', `There is no branch named ${JSON.stringify(ref)}; list the branches`)
}
