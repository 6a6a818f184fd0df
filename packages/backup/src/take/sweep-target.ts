import { backups, type Db } from '@svc/db'
import type { ObjectStore } from '@svc/objects'
import { manifestFile } from '../format/manifest.ts'

/** Removes what killed runs of this deployment left half made in the place; another's are none of its business. */
export async function sweepTarget(db: Db, to: ObjectStore, target: string): Promise<void> {
  for (const { state, name } of await backups.listOf(db, target))
    if (state === 'failed' && (await to.head(`${name}/${manifestFile}`)) === null)
      await removeBackup(to, name)
}

/** The manifest first: from then on it is no backup. */
export async function removeBackup(to: ObjectStore, name: string): Promise<void> {
  await to.delete(`${name}/${manifestFile}`)
  const keys: string[] = []
  for await (const { key } of to.list(`${name}/`)) keys.push(key)
  for (const key of keys) await to.delete(key)
}
