import type { Db } from '../database.ts'
import type { PersonalSecretRow } from './secrets.table.ts'

export interface PersonalKey {
  readonly project_id: string
  readonly user_id: string
}

export async function list(db: Db, { project_id, user_id }: PersonalKey): Promise<PersonalSecretRow[]> {
  return db
    .selectFrom('personal_secrets')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .orderBy('name')
    .execute()
}

/** Those of all people of a project. */
export async function ofProject(db: Db, project_id: string): Promise<PersonalSecretRow[]> {
  return db.selectFrom('personal_secrets').selectAll().where('project_id', '=', project_id).execute()
}

export async function put(db: Db, secret: PersonalSecretRow): Promise<PersonalSecretRow> {
  return db
    .insertInto('personal_secrets')
    .values(secret)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id', 'name'])
        .doUpdateSet({ sealed_value: secret.sealed_value, updated_at: secret.updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function remove(db: Db, { project_id, user_id }: PersonalKey, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('personal_secrets')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** From now on the session is its owner's alone; false when it is shared, and gets no personal secret. */
export async function claimSession(tx: Db, session_id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project_sessions')
    .set({ holds_personal_secrets: true })
    .where('session_id', '=', session_id)
    .where('visibility', '=', 'private')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when the session was given a personal secret, and stays private. */
export async function shareSession(db: Db, session_id: string, updated_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_sessions')
    .set({ visibility: 'project', updated_at })
    .where('session_id', '=', session_id)
    .where('holds_personal_secrets', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
