import type { Db } from '../database.ts'
import type { HarnessLicenceRow } from './harnesses.table.ts'

/** The licences that are accepted now. */
export async function listAccepted(db: Db): Promise<readonly HarnessLicenceRow[]> {
  return db.selectFrom('harness_licences').selectAll().where('revoked_at', 'is', null).execute()
}

export interface AcceptedLicence {
  readonly licence_id: string
  readonly harness: string
  readonly sha256: string
  readonly text_url: string | null
  readonly accepted_by: string
  readonly accepted_at: Date
}

/** Keeps the first acceptance of a text. */
export async function accept(tx: Db, licence: AcceptedLicence): Promise<void> {
  await tx
    .insertInto('harness_licences')
    .values({ ...licence, revoked_by: null, revoked_at: null })
    .onConflict((conflict) =>
      conflict.columns(['harness', 'sha256']).where('revoked_at', 'is', null).doNothing(),
    )
    .execute()
}

/** The number of acceptances that were taken back. */
export async function revoke(tx: Db, harness: string, revoked_by: string, now: Date): Promise<number> {
  const rows = await tx
    .updateTable('harness_licences')
    .set({ revoked_by, revoked_at: now })
    .where('harness', '=', harness)
    .where('revoked_at', 'is', null)
    .returning('licence_id')
    .execute()
  return rows.length
}
