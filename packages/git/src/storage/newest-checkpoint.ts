import { gitText, type Repository } from '../repository.ts'
import { checkpointFolder } from './checkpoints.ts'

export interface SavedCheckpoint {
  readonly number: number
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
  const text = await gitText(repository, ['for-each-ref', '--format=%(refname)', `${folder}/`])
  const numbers = text.split('\n').flatMap((ref) => {
    const [, number] = /\/([0-9]{1,15})$/.exec(ref) ?? []
    return number === undefined ? [] : [Number(number)]
  })
  if (numbers.length === 0) return null
  const number = Math.max(...numbers)
  const message = await gitText(repository, ['log', '-1', '--format=%B', `${folder}/${number}`, '--'])
  const said = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(message)?.[1] ?? null
  const [branch, head] = [said('Branch'), said('Head')]
  return {
    number,
    branch: branch === 'none' ? null : branch,
    head_sha: head !== null && /^[0-9a-f]{40}$/.test(head) ? head : null,
  }
}
