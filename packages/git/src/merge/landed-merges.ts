import { git, type Repository } from '../repository.ts'

/** A merge commit on the line of a base, which names its change request. */
export interface LandedMerge {
  readonly commit_sha: string
  /** The base before it. */
  readonly base_sha: string
  /** The head that came in. */
  readonly head_sha: string
  readonly cr_id: string
}

/**
 * Merges on the line of the base itself since a moment, with the change request of their trailer. What came in with a head
 * is not on that line: a commit of an agent that names a change request is none of these.
 */
export async function landedMerges(repository: Repository, tip: string, since: Date): Promise<LandedMerge[]> {
  const { stdout } = await git(repository, [
    'log',
    '--first-parent',
    '--merges',
    `--since=@${Math.floor(since.getTime() / 1000)}`,
    '--format=%H %P%x00%(trailers:key=CR,valueonly,separator=%x20)%x00',
    '--end-of-options',
    tip,
  ])
  const fields = stdout.toString('utf8').split('\0')
  const merges: LandedMerge[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [commit_sha = '', base_sha = '', head_sha = ''] = (fields[at] ?? '').trim().split(' ')
    const cr_id = (fields[at + 1] ?? '').trim()
    if (head_sha !== '' && cr_id !== '') merges.push({ commit_sha, base_sha, head_sha, cr_id })
  }
  return merges
}
