import { type CommitPair, compareCommits } from './compare-commits.ts'
import type { Repository } from '../repository.ts'

export interface AheadBehind {
  /** Commits of head that base does not have. */
  readonly ahead: number
  readonly behind: number
}

export async function aheadBehind(repository: Repository, pair: CommitPair): Promise<AheadBehind> {
  const { ahead, behind } = await compareCommits(repository, pair)
  return { ahead, behind }
}
