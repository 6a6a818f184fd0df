import type { Db } from '../database.ts'
import type { OAuthModel } from './oauth.table.ts'

export interface ArtefactKey {
  readonly model: OAuthModel
  readonly id_hash: Buffer
}

type Part =
  | ArtefactKey
  | { readonly grant_hash: Buffer; readonly model?: OAuthModel }
  | { readonly user_id: string; readonly client_id?: string }
  | { readonly user_id: string; readonly model: OAuthModel }

/** Ends a part of what was approved: access tokens stay as revoked, and say so; the rest goes, and is returned. */
export async function endArtefacts(db: Db, part: Part, now: Date) {
  await db
    .updateTable('oauth_artefacts')
    .set({ revoked_at: now })
    .where((eb) => eb.and(part))
    .where('model', '=', 'AccessToken')
    .where('revoked_at', 'is', null)
    .execute()
  return db
    .deleteFrom('oauth_artefacts')
    .where((eb) => eb.and(part))
    .where('model', '<>', 'AccessToken')
    .returning(['model', 'user_id', 'client_id'])
    .execute()
}
