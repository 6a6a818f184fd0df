import { branchRef, requireShas, zeroSha } from './ref-name.ts'
import { type Branches, type Repository, tryGit } from '../repository.ts'
import { resolveBranch } from './resolve-branch.ts'

export type MoveOutcome =
  | { readonly kind: 'moved' }
  /** The branch was not where the caller thought. */
  | { readonly kind: 'stale'; readonly actual_sha: string | null }
  | { readonly kind: 'rejected'; readonly message: string }

export interface BranchMove {
  readonly branch: string
  /** Null expects that the branch does not exist. */
  readonly from_sha: string | null
  readonly to_sha: string
}

/** Compare-and-set on the branch where it lives: of two movers from the same commit exactly one succeeds. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<MoveOutcome> {
  requireShas(move.to_sha, ...(move.from_sha === null ? [] : [move.from_sha]))
  const ref = branchRef(move.branch)
  if (ref === null) return { kind: 'rejected', message: `${JSON.stringify(move.branch)} is no branch name.` }
  const { branches } = repository
  if (branches.at === 'store') return moveInStore(repository, branches, { ...move, ref })
  const outcome = await branches.remote.push({ ref, from_sha: move.from_sha, to_sha: move.to_sha })
  if (outcome.kind === 'moved') await followBranch(repository, move)
  return outcome
}

async function moveInStore(
  repository: Repository,
  { publish }: Extract<Branches, { at: 'store' }>,
  { ref, branch, from_sha, to_sha }: BranchMove & { readonly ref: string },
): Promise<MoveOutcome> {
  const outcome = await publish([{ ref, old: from_sha, new: to_sha }])
  switch (outcome.kind) {
    case 'published':
      return { kind: 'moved' }
    case 'conflict':
      return { kind: 'stale', actual_sha: await resolveBranch(repository, branch) }
    case 'rejected':
      return outcome
  }
}

/** The mirror follows its remote at once; should that fail, the next fetch brings it. */
export async function followBranch(repository: Repository, move: BranchMove): Promise<void> {
  const ref = branchRef(move.branch)
  const { from_sha, to_sha } = move
  if (ref === null) return
  await tryGit(repository, ['update-ref', '--no-deref', '--end-of-options', ref, to_sha, from_sha ?? zeroSha])
}
