import { commitShaPattern } from '@svc/facts'
import { gitText, type Repository } from '../repository.ts'
import { checkpointFolder } from './checkpoints.ts'

export interface SavedCheckpoint {
  readonly number: number
  readonly sha: string
  /** The branch that was checked out, and where it stood; null where there was none. */
  readonly branch: string | null
  readonly head_sha: string | null
}

/** The newest checkpoint of a session that this repository has; null for none. */
export async function newestCheckpoint(
  repository: Repository,
  session_id: string,
): Promise<SavedCheckpoint | null> {
  const folder = checkpointFolder(session_id)
  const format = '--format=%(refname) %(objectname)'
  const text = await gitText(repository, ['for-each-ref', format, `${folder}/`])
  const numbered = text.split('\n').flatMap((line) => {
    const [, number, sha] = /\/([0-9]{1,15}) ([0-9a-f]+)$/.exec(line) ?? []
    return sha === undefined ? [] : [{ number: Number(number), sha }]
  })
  const newest = numbered.sort((a, b) => b.number - a.number)[0]
  if (newest === undefined) return null
  const message = await gitText(repository, ['log', '-1', '--format=%B', newest.sha, '--'])
  const said = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(message)?.[1] ?? null
  const [branch, head] = [said('Branch'), said('Head')]
  return {
    ...newest,
    branch: branch === 'none' ? null : branch,
    head_sha: head !== null && commitShaPattern.test(head) ? head : null,
  }
}
