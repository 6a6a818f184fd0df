import { access, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives the record of a session a name without its minute. Gemini CLI 0.61 opens an earlier session by starting one of the
 * same id, which writes an empty record under the name of this minute, and then reads the records: in the minute of its
 * start it would find its own conversation emptied. It knows a record by the id in it.
 */
export async function setRecordAside(folder: string, session_id: string): Promise<void> {
  const ending = `-${session_id.slice(0, 8)}.jsonl`
  const aside = `session-kept${ending}`
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const records = files.filter(({ name }) => name.startsWith('session-') && name.endsWith(ending))
  for (const { parentPath, name } of records) {
    // Whatever has this minute's name beside one that is kept was made by an opening, and is empty.
    if (name !== aside && !(await isThere(join(parentPath, aside))))
      await rename(join(parentPath, name), join(parentPath, aside))
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
