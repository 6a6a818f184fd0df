import type { Db } from '../database.ts'

/** A file of a change request that a person looked at, with the content that it had. */
export interface ViewedFileTable {
  user_id: string
  cr_id: string
  path: string
  /** SHA-256 of its part of the patch, in hexadecimal. */
  patch_hash: string
  viewed_at: Date
}

type Owner = Pick<ViewedFileTable, 'user_id' | 'cr_id'>

export async function list(db: Db, owner: Owner): Promise<Pick<ViewedFileTable, 'path' | 'patch_hash'>[]> {
  return db
    .selectFrom('cr_viewed_files')
    .select(['path', 'patch_hash'])
    .where('user_id', '=', owner.user_id)
    .where('cr_id', '=', owner.cr_id)
    .orderBy('path')
    .execute()
}

export async function put(db: Db, file: ViewedFileTable): Promise<void> {
  const { patch_hash, viewed_at } = file
  await db
    .insertInto('cr_viewed_files')
    .values(file)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'cr_id', 'path']).doUpdateSet({ patch_hash, viewed_at }),
    )
    .execute()
}

export async function remove(db: Db, key: Owner & Pick<ViewedFileTable, 'path'>): Promise<void> {
  await db
    .deleteFrom('cr_viewed_files')
    .where('user_id', '=', key.user_id)
    .where('cr_id', '=', key.cr_id)
    .where('path', '=', key.path)
    .execute()
}
