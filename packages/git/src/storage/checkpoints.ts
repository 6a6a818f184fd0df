import { git, gitText, type Repository } from '../repository.ts'

/** The folder of refs that are private to the platform and to the sandbox that owns them. */
export const hiddenRefs = 'refs/svc'

/** Work in progress of one session: `<folder>/<n>`, the highest number is the newest. */
export const checkpointFolder = (session_id: string) => `${hiddenRefs}/checkpoints/${session_id}`

/** Removes all but the newest `keep` checkpoints of a session. */
export async function removeCheckpoints(
  repository: Repository,
  session_id: string,
  keep: number,
): Promise<void> {
  const folder = checkpointFolder(session_id)
  const text = await gitText(repository, ['for-each-ref', '--format=%(refname)', `${folder}/`])
  const numbered = text.split('\n').flatMap((ref) => {
    const [, number] = /\/([0-9]{1,15})$/.exec(ref) ?? []
    return number === undefined ? [] : [{ ref, number: Number(number) }]
  })
  const old = numbered.sort((a, b) => b.number - a.number).slice(keep)
  if (old.length === 0) return
  const input = old.map(({ ref }) => `delete ${ref}\n`).join('')
  await git(repository, ['update-ref', '--stdin'], { input })
}
