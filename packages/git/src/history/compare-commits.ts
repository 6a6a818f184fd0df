import type { AheadBehind } from './ahead-behind.ts'
import { type Apart, walkApart } from './walk-apart.ts'
import { mergeBase } from './merge-base.ts'
import { askReader } from '../objects/ask-objects.ts'
import { parseCommitLinks } from '../parse/commit-links.ts'
import { countSides } from '../parse/left-right.ts'
import { git, gitText, type Repository } from '../repository.ts'

export interface Comparison extends AheadBehind {
  /** Null when the histories share nothing. */
  readonly merge_base: string | null
}

export interface CommitPair {
  readonly base_sha: string
  readonly head_sha: string
}

/** A walk that has to ask git more often than this is quicker as one command of git's. */
const limits = { commits: 4_000, loads: 16 }

/** Both counts and the best merge base. */
export async function compareCommits(repository: Repository, pair: CommitPair): Promise<Comparison> {
  const { base_sha, head_sha } = pair
  if (base_sha === head_sha) return { ahead: 0, behind: 0, merge_base: base_sha }
  const { links } = repository
  const known = (sha: string) => links.get(sha) ?? null
  const load = (shas: readonly string[]) => loadLinks(repository, shas)
  const walked = await walkApart({ base_sha, head_sha, known, load, limits })
  const { base_only, head_only, merge_bases } = walked ?? (await listApart(repository, pair))
  const [only = null] = merge_bases
  const merge_base = merge_bases.length > 1 ? await mergeBase(repository, base_sha, head_sha) : only
  return { ahead: head_only, behind: base_only, merge_base }
}

async function loadLinks(repository: Repository, shas: readonly string[]): Promise<boolean> {
  const questions = shas.map((name) => ({ command: 'contents' as const, name }))
  const commits = await askReader(repository, questions)
  if (commits === null) return false
  for (const commit of commits) {
    if (commit?.type !== 'commit') return false
    repository.links.set(commit.sha, parseCommitLinks(commit.content))
  }
  return true
}

const range = ({ base_sha, head_sha }: CommitPair) => ['--end-of-options', `${base_sha}...${head_sha}`]
/** A list of a hundred thousand commits fits. */
const maxList = 16 * 1024 * 1024

/**
 * The same by one command, which walks the commits that only one side has. Every merge base is among the commits where
 * that walk ends, so a single end is the only merge base.
 */
async function listApart(repository: Repository, pair: CommitPair): Promise<Apart> {
  const args = ['rev-list', '--left-right', '--boundary', '--timestamp', '--parents', ...range(pair)]
  const { stdout, cut } = await git(repository, args, { max_output: maxList })
  if (cut) return countApart(repository, pair)
  const { left, right, ends, links } = countSides(stdout.toString('latin1'))
  for (const [sha, each] of links) repository.links.set(sha, each)
  return { base_only: left, head_only: right, merge_bases: ends }
}

async function countApart(repository: Repository, pair: CommitPair): Promise<Apart> {
  const [counts, merge_base] = await Promise.all([
    gitText(repository, ['rev-list', '--left-right', '--count', ...range(pair)]),
    mergeBase(repository, pair.base_sha, pair.head_sha),
  ])
  const [base_only = 0, head_only = 0] = counts.split('\t').map(Number)
  return { base_only, head_only, merge_bases: merge_base === null ? [] : [merge_base] }
}
