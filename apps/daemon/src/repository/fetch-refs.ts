import { type Git, GitError, must } from '../git/git.ts'

export interface FetchParts {
  readonly git: Git
  readonly branch: string
  readonly base_ref: string
  readonly default_branch: string
}

/** A network that stands still is given up; a host that counts long before it sends keeps the line alive by a few bytes. */
const networkGuard = ['-c', 'http.lowSpeedLimit=1', '-c', 'http.lowSpeedTime=60']

/** Only what the session needs: an origin may hold thousands of other sessions' branches. */
export async function fetchRefs(
  parts: FetchParts,
  how: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const { git, branch, base_ref, default_branch } = parts
  const wanted = [...new Set([branch, base_ref, default_branch])]
  const fetch = (names: readonly string[]) =>
    git(
      ...networkGuard,
      'fetch',
      '-q',
      ...how,
      'origin',
      ...names.map((name) => `+refs/heads/${name}:refs/remotes/origin/${name}`),
    )
  const all = await fetch(wanted)
  if (all.ok) return new Set(wanted)
  if (!/couldn't find remote ref/i.test(all.stderr)) throw new GitError('Fetching the repository', all.stderr)

  const listed = await must(
    'Listing branches',
    git(...networkGuard, 'ls-remote', '--heads', 'origin', ...wanted.map((name) => `refs/heads/${name}`)),
  )
  const there = wanted.filter((name) =>
    listed.split('\n').some((line) => line.endsWith(`\trefs/heads/${name}`)),
  )
  if (there.length > 0) await must('Fetching the repository', fetch(there))
  return new Set(there)
}
