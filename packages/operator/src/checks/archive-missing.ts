import { archiveObjects } from '@svc/db'
import type { Check, Found } from './check.ts'

const batch = 500

/** An object that rows name, and that the store does not have as it was put there. */
export const archiveMissing: Check = {
  name: 'archive_missing',
  worker: 'merge',
  of: 'platform',
  run: async ({ db, objects, signal }) => {
    const found: Found[] = []
    for (let after = ''; ;) {
      const rows = await archiveObjects.listNamed(db, { after, limit: batch })
      for (const { object_key, bytes } of rows) {
        signal.throwIfAborted()
        const there = await objects.head(object_key)
        if (there?.bytes === bytes) continue
        const problem = there === null ? 'is not there' : `has ${there.bytes} bytes and not ${bytes}`
        const message = `The object ${problem}; restore it from the newest backup that has it`
        found.push({ severity: 'error', project_id: null, subject: `objects/${object_key}`, message })
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < batch) return found
      after = last.object_key
    }
  },
}
