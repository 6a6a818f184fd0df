import { join } from 'node:path'
import { marksFile, unfinishedRestore } from '@svc/backup'
import type { DataDir } from '../data-dir.ts'
import { StartError } from '../start-error.ts'

/** A platform that is restored in part would take a first account for itself, which the rest of the restore then finds. */
export async function requireWhole({ repositories }: Pick<DataDir, 'repositories'>): Promise<void> {
  const backup_id = await unfinishedRestore(join(repositories, marksFile))
  if (backup_id === null) return
  throw new StartError(
    `A restore into this data directory was not finished (backup ${backup_id}). Run the same command again: svc self-host restore --from <backup>`,
  )
}
