import { git, type Repository } from '../repository.ts'
import { requireShas } from '../refs/ref-name.ts'

export interface Unreached {
  /** In the repository, and not in the history of the tip. */
  readonly outside: ReadonlySet<string>
  /** Not in the repository at all. */
  readonly missing: ReadonlySet<string>
}

/** The commits that the history of `tip` does not hold, in two commands whatever their number. A null tip has no history. */
export async function unreached(
  repository: Repository,
  tip: string | null,
  commit_shas: readonly string[],
): Promise<Unreached> {
  requireShas(...commit_shas)
  if (commit_shas.length === 0) return { outside: new Set(), missing: new Set() }
  const input = `${commit_shas.join('\n')}\n`
  const looked = await git(repository, ['cat-file', '--batch-check=%(objecttype)'], { input })
  const types = looked.stdout.toString('latin1').split('\n')
  const missing = new Set(commit_shas.filter((_, index) => types[index] !== 'commit'))
  const present = commit_shas.filter((sha) => !missing.has(sha))
  if (tip === null || present.length === 0) return { outside: new Set(present), missing }
  const asked = `${present.join('\n')}\n^${tip}\n`
  const walked = await git(repository, ['rev-list', '--stdin'], { input: asked })
  const apart = new Set(walked.stdout.toString('latin1').split('\n'))
  return { outside: new Set(present.filter((sha) => apart.has(sha))), missing }
}
