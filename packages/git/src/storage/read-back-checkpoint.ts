import { devNull } from 'node:os'
import { tryGit, type Repository } from '../repository.ts'
import { checkpointFolder } from './checkpoints.ts'

/** True when everything of this checkpoint, which has to be the newest of its session, can be read: files, index, history. */
export async function readBackCheckpoint(
  repository: Repository,
  { session_id, number }: { readonly session_id: string; readonly number: number },
): Promise<boolean> {
  const folder = checkpointFolder(session_id)
  const listed = await tryGit(repository, ['for-each-ref', '--format=%(refname)', `${folder}/`])
  const numbers = listed.stdout
    .toString()
    .split('\n')
    .map((ref) => Number(ref.slice(folder.length + 1)))
  if (listed.exit_code !== 0 || Math.max(...numbers) !== number) return false
  const ref = `${folder}/${number}`
  const connected = await tryGit(repository, ['rev-list', '--objects', '--quiet', ref])
  if (connected.exit_code !== 0) return false
  // Every file is read to its end, as the restore is going to do.
  for (const tree of [ref, `${ref}^2`]) {
    const read = await tryGit(repository, ['archive', '--format=tar', `--output=${devNull}`, tree])
    if (read.exit_code !== 0) return false
  }
  return true
}
