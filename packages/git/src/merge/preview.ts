import { ServiceError } from '@svc/errors'
import { type MergeVerdict, previewCommits } from './preview-commits.ts'
import type { Repository } from '../repository.ts'
import { resolveBranch } from '../refs/resolve-branch.ts'

/** The outcome of merging one branch into another at this moment. */
export async function preview(
  repository: Repository,
  { base_ref, head_ref }: { readonly base_ref: string; readonly head_ref: string },
): Promise<MergeVerdict> {
  const [base_sha, head_sha] = await Promise.all([
    requireBranch(repository, base_ref),
    requireBranch(repository, head_ref),
  ])
  return previewCommits(repository, { base_sha, head_sha })
}

async function requireBranch(repository: Repository, ref: string): Promise<string> {
  const sha = await resolveBranch(repository, ref)
  if (sha !== null) return sha
  throw new ServiceError(
    'CR_REF_NOT_FOUND',
    `There is no branch named ${JSON.stringify(ref)}; push it first, or name another.`,
    { ref },
  )
}
