import type { Db } from '../database.ts'

/** Evidence that a person proved who they are: a sign-in, or an app's approval, through its token or a browser session. */
export type AuthenticationSource =
  | { readonly sign_in_id: string }
  | { readonly access_token_id: string }
  | { readonly browser_session_id: string }

/** The time at which the person proved it last; undefined for an approval that was given with a minted token. */
export async function timeOf(db: Db, source: AuthenticationSource): Promise<Date | undefined> {
  if ('sign_in_id' in source) {
    const row = await db
      .selectFrom('sign_ins')
      .select('created_at')
      .where('sign_in_id', '=', source.sign_in_id)
      .executeTakeFirst()
    return row?.created_at
  }
  const grant = db
    .selectFrom('oauth_artefacts as approval')
    .select('approval.created_at')
    .where('approval.model', '=', 'Grant')
    .where('approval.by_token', '=', false)
  const row =
    'access_token_id' in source
      ? await grant
          .where('approval.id_hash', '=', (eb) =>
            eb
              .selectFrom('oauth_artefacts as token')
              .select('token.grant_hash')
              .where('token.artefact_id', '=', source.access_token_id)
              .where('token.model', '=', 'AccessToken'),
          )
          .executeTakeFirst()
      : await grant
          .where('approval.id_hash', '=', (eb) =>
            eb
              .selectFrom('browser_sessions')
              .select('grant_hash')
              .where('browser_session_id', '=', source.browser_session_id),
          )
          .executeTakeFirst()
  return row?.created_at
}
