import { followBranch, moveBranch } from './move-branch.ts'
import { branchRef, requireShas } from './ref-name.ts'
import type { Repository } from '../repository.ts'

export type CreateOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'exists'; readonly actual_sha: string | null }
  | { readonly kind: 'rejected'; readonly message: string }

interface Cut {
  readonly branch: string
  /** A commit that the repository holds, such as the tip of another branch. */
  readonly at_sha: string
}

/** Cuts a branch that must not exist yet: in the store, through the API of a host that has one, or by git. */
export async function createBranch(repository: Repository, cut: Cut): Promise<CreateOutcome> {
  const { branch, at_sha } = cut
  requireShas(at_sha)
  const ref = branchRef(branch)
  if (repository.branches.at === 'host' && ref !== null) {
    const answer = await repository.branches.remote.cut(cut)
    if (answer.kind === 'exists') return answer
    if (answer.kind === 'created') return settle(repository, cut, answer.commit_sha ?? at_sha)
  }
  return byMove(repository, cut, null)
}

/** A host that did not know where to cut has cut elsewhere; the branch is new, so it may still be put right. */
async function settle(repository: Repository, cut: Cut, actual_sha: string): Promise<CreateOutcome> {
  if (actual_sha !== cut.at_sha) return byMove(repository, cut, actual_sha)
  await followBranch(repository, { branch: cut.branch, from_sha: null, to_sha: cut.at_sha })
  return { kind: 'created' }
}

async function byMove(repository: Repository, cut: Cut, from_sha: string | null): Promise<CreateOutcome> {
  const outcome = await moveBranch(repository, { branch: cut.branch, from_sha, to_sha: cut.at_sha })
  switch (outcome.kind) {
    case 'moved':
      return { kind: 'created' }
    case 'stale':
      return { kind: 'exists', actual_sha: outcome.actual_sha }
    case 'rejected':
      return outcome
  }
}
