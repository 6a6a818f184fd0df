import { sql } from 'kysely'
import type { Db } from '../database.ts'
import * as oauth from './oauth.ts'

/** An app that a person approved, and that still holds something of it. */
export interface OAuthAppRow {
  readonly client_id: string
  /** Null for a client that did not register. */
  readonly name: string | null
  /** Of all its approvals, with spaces between, some of them more than once. */
  readonly scopes: string | null
  readonly approvals: number
  readonly approved_at: Date
  readonly last_used_at: Date
}

export async function list(db: Db, user_id: string, now: Date): Promise<OAuthAppRow[]> {
  const { rows } = await sql<OAuthAppRow>`
    select approval.client_id, client.metadata->>'client_name' as name, string_agg(held.scope, ' ') as scopes,
      count(distinct approval.artefact_id)::int as approvals, max(approval.created_at) as approved_at,
      max(held.created_at) as last_used_at
    from oauth_artefacts approval
    join oauth_artefacts held on held.grant_hash = approval.id_hash and held.expires_at > ${now}
      and held.model in ('AccessToken', 'RefreshToken', 'AuthorizationCode') and held.revoked_at is null
    left join oauth_clients client on client.client_id = approval.client_id
    where approval.model = 'Grant' and approval.user_id = ${user_id} and approval.expires_at > ${now}
    group by approval.client_id, client.metadata->>'client_name'
    order by max(approval.created_at) desc, approval.client_id`.execute(db)
  return rows
}

/** Ends every approval that the person gave the app, with all that came of them; false: there is none. */
export async function remove(
  tx: Db,
  key: { readonly user_id: string; readonly client_id: string },
  now: Date,
): Promise<boolean> {
  const approval = await tx
    .selectFrom('oauth_artefacts')
    .select('artefact_id')
    .where('model', '=', 'Grant')
    .where('user_id', '=', key.user_id)
    .where('client_id', '=', key.client_id)
    .limit(1)
    .executeTakeFirst()
  await oauth.removeOfApp(tx, key, now)
  return approval !== undefined
}
