import { readFile } from 'node:fs/promises'
import { replaceFile } from '@svc/files'
import { z } from 'zod'

/** The steps of a restore, in their order. */
export const steps = ['schema', 'rows', 'repositories', 'objects', 'checks'] as const
export type Step = (typeof steps)[number]

const Marks = z.object({ backup_id: z.uuid(), done: z.array(z.enum(steps)) })

/** Its name, in the folder of the repositories that are restored. */
export const marksFile = 'restore.json'

/** The steps that a restore finished, in a file beside what it restores, so that a killed one goes on. */
export interface RestoreMarks {
  has(step: Step): boolean
  add(step: Step): Promise<void>
}

/** Null where no restore was begun. */
export async function readMarks(file: string): Promise<z.infer<typeof Marks> | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : Marks.parse(JSON.parse(text))
}

export async function openMarks(file: string, backup_id: string): Promise<RestoreMarks> {
  const found = await readMarks(file)
  if (found !== null && found.backup_id !== backup_id)
    throw new Error(
      `${file} is of a restore from another backup (${found.backup_id}). Finish that one, or restore into a new place.`,
    )
  const done = new Set(found?.done)
  const write = () => replaceFile(file, `${JSON.stringify({ backup_id, done: [...done] })}\n`)
  if (found === null) await write()
  return {
    has: (step) => done.has(step),
    async add(step) {
      done.add(step)
      await write()
    },
  }
}

/** The backup of a restore that was begun and did not come to its end; null where there is none. */
export async function unfinishedRestore(file: string): Promise<string | null> {
  const found = await readMarks(file)
  return found === null || steps.every((step) => found.done.includes(step)) ? null : found.backup_id
}
