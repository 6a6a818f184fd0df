import { clearStaleLocks } from '../storage/stale-locks.ts'
import { branchRef, requireShas, zeroSha } from './ref-name.ts'
import { type Repository, tryGit } from '../repository.ts'
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
  if (repository.remote === null) return updateRef(repository, ref, move)
  const outcome = await repository.remote.push({ ref, from_sha: move.from_sha, to_sha: move.to_sha })
  if (outcome.kind === 'moved') await followBranch(repository, move)
  return outcome
}

/** The mirror follows its remote at once; should that fail, the next fetch brings it. */
export async function followBranch(repository: Repository, move: BranchMove): Promise<void> {
  const ref = branchRef(move.branch)
  if (ref !== null) await tryGit(repository, updateCommand(ref, move))
}

const updateCommand = (ref: string, { from_sha, to_sha }: BranchMove): readonly string[] => [
  'update-ref',
  '--no-deref',
  '--end-of-options',
  ref,
  to_sha,
  from_sha ?? zeroSha,
]

const attempts = 3

async function updateRef(repository: Repository, ref: string, move: BranchMove): Promise<MoveOutcome> {
  let stderr = ''
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const result = await tryGit(repository, updateCommand(ref, move))
    if (result.exit_code === 0) return { kind: 'moved' }
    stderr = result.stderr
    const actual_sha = await resolveBranch(repository, move.branch)
    if (actual_sha !== move.from_sha) return { kind: 'stale', actual_sha }
    // Right commit and still no success: another process holds the lock, or died holding it.
    if (!stderr.includes('.lock')) break
    await clearStaleLocks(repository.git_dir, { older_than_ms: 10_000 })
  }
  return { kind: 'rejected', message: lastLine(stderr) }
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^(fatal|error): /, '') ?? ''
