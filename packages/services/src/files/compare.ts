import { branchName } from '@svc/change-request'
import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { diff } from '@svc/git'
import { openAt, type ReadContext, tipOf } from './open-at.ts'

interface CompareInput {
  readonly project_id: string
  readonly base?: string | undefined
  readonly head?: string | undefined
  readonly path?: string | undefined
}

/** The changes of one branch since it parted from another. */
export async function compareBranches(ctx: ReadContext, input: CompareInput) {
  const { project, repository, ref: base_ref, sha: base } = await openAt(ctx, { ...input, ref: input.base })
  const head_ref = branchName(input.head ?? project.default_branch)
  const head = await tipOf(repository, head_ref)
  if (base === null)
    throw new ServiceError('not_found', `The branch ${base_ref} has no commit yet; push one first`)
  const changes = await diff(repository, {
    base,
    head,
    three_dot: true,
    max_patch_bytes: limits.patchBytes,
    path: input.path,
  })
  return { base_ref, head_ref, ...changes }
}
