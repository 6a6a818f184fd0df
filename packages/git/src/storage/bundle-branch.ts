import { git, gitText, type Repository, tryGit } from '../repository.ts'
import { branchRef, requireShas } from '../refs/ref-name.ts'
import { isAncestor } from '../history/is-ancestor.ts'

export interface BranchAt {
  readonly branch: string
  readonly tip: string
}

/**
 * Writes a branch into a bundle: the commits that the default branch does not have, or its last one where it has all. To fetch
 * it, a repository needs the default branch as it was.
 */
export async function writeBundle(
  repository: Repository,
  { branch, tip }: BranchAt,
  { default_tip, path }: { readonly default_tip: string | null; readonly path: string },
): Promise<void> {
  requireShas(tip, ...(default_tip === null ? [] : [default_tip]))
  const without =
    default_tip === null
      ? []
      : (await isAncestor(repository, tip, default_tip))
        ? ['--not', `${tip}^@`]
        : ['--not', default_tip]
  await git(repository, ['bundle', 'create', '--quiet', path, `refs/heads/${branch}`, ...without])
}

/** True when the bundle is whole, this repository has what it rests on, and it brings the branch at that commit. */
export async function isBundleOf(
  repository: Repository,
  path: string,
  { branch, tip }: BranchAt,
): Promise<boolean> {
  const verified = await tryGit(repository, ['bundle', 'verify', '--quiet', path])
  if (verified.exit_code !== 0) return false
  const heads = await gitText(repository, ['bundle', 'list-heads', path])
  return heads.trim() === `${tip} ${branchRef(branch)}`
}

/** Removes a branch that is at that commit; false when it is elsewhere. True when it is gone already. */
export async function removeBranch(repository: Repository, { branch, tip }: BranchAt): Promise<boolean> {
  const ref = branchRef(branch)
  if (ref === null || repository.branches.at !== 'store') return false
  const found = await tryGit(repository, ['show-ref', '--verify', '--quiet', ref])
  if (found.exit_code !== 0) return true
  return (await repository.branches.publish([{ ref, old: tip, new: null }])).kind === 'published'
}
