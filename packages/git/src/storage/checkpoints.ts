import { git, gitText, type Repository } from '../repository.ts'

/** The folder of refs that are private to the platform and to the sandbox that owns them. */
export const hiddenRefs = 'refs/svc'

/** Work in progress of one session: `<folder>/<n>`, the highest number is the newest. */
export const checkpointFolder = (session_id: string) => `${hiddenRefs}/checkpoints/${session_id}`

/** The newest checkpoint of a session; null where none is kept here. */
export async function newestCheckpoint(repository: Repository, session_id: string): Promise<string | null> {
  const folder = checkpointFolder(session_id)
  const format = '--format=%(refname) %(objectname)'
  const text = await gitText(repository, ['for-each-ref', format, `${folder}/`])
  const numbered = text.split('\n').flatMap((line) => {
    const [, number, sha] = /\/([0-9]{1,15}) ([0-9a-f]+)$/.exec(line) ?? []
    return sha === undefined ? [] : [{ number: Number(number), sha }]
  })
  return numbered.sort((a, b) => b.number - a.number)[0]?.sha ?? null
}

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
