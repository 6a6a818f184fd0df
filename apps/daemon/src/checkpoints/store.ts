import { must } from '../git/git.ts'
import type { GitWith } from './git-with.ts'

export interface CheckpointStore {
  /** The newest, by its number; null when there is none. */
  newest(): Promise<{ readonly number: number; readonly commit: string } | null>
  push(commit: string, number: number): Promise<void>
  fetch(number: number): Promise<void>
}

/** The platform's store of this session's checkpoints; `git` carries the sandbox's own credential. */
export function createCheckpointStore(parts: {
  readonly git: GitWith
  readonly url: string
  readonly session_id: string
}): CheckpointStore {
  const { git, url, session_id } = parts
  const folder = `refs/svc/checkpoints/${session_id}`
  return {
    newest: async () => {
      const listed = await must('Looking for checkpoints', git({}, 'ls-remote', url, `${folder}/*`))
      const found = listed.split('\n').flatMap((line) => {
        const [commit, ref = ''] = line.split('\t')
        const number = /\/([0-9]{1,15})$/.exec(ref)?.[1]
        return commit && number !== undefined ? [{ number: Number(number), commit }] : []
      })
      return found.sort((a, b) => b.number - a.number)[0] ?? null
    },
    push: async (commit, number) => {
      const to = `${commit}:${folder}/${number}`
      await must('Saving the checkpoint', git({}, 'push', '-q', '--no-verify', url, to))
    },
    fetch: async (number) => {
      const from = `${folder}/${number}`
      await must(
        'Fetching the checkpoint',
        git({}, 'fetch', '-q', '--no-tags', '--no-write-fetch-head', url, from),
      )
    },
  }
}
