import { backups, type ProjectRow } from '@svc/db'
import type { CheckContext } from './check.ts'

/** The words that say from where a person restores the repository of a project. */
export async function fromNewestBackup(
  { db }: Pick<CheckContext, 'db'>,
  project: Pick<ProjectRow, 'project_id' | 'created_at'>,
): Promise<string> {
  const backup = await backups.newestWith(db, project)
  return backup === undefined
    ? 'no backup is known to have it'
    : `restore it from ${backup.name} in ${backup.target}, the newest backup that has it`
}
