import type { Db } from '../database.ts'
import type { InvitationRow } from './invitations.table.ts'

export async function insert(
  tx: Db,
  invitation: Omit<InvitationRow, 'accepted_at' | 'accepted_by' | 'revoked_at'>,
): Promise<InvitationRow> {
  return tx
    .insertInto('account_invitations')
    .values({ ...invitation, accepted_at: null, accepted_by: null, revoked_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Invitations that can still be accepted, newest first. */
export async function listOpen(db: Db, account_id: string, now: Date): Promise<InvitationRow[]> {
  return db
    .selectFrom('account_invitations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('invitation_id')
    .execute()
}

/** True when an account has an open invitation for this address, which is given in lower case. */
export async function isInvited(db: Db, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('account_invitations')
    .select('invitation_id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function findByHash(db: Db, token_hash: Buffer): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('account_invitations')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

/** False: it was accepted, revoked or over before. */
export async function accept(
  tx: Db,
  invitation: { readonly invitation_id: string; readonly accepted_by: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_invitations')
    .set({ accepted_at: now, accepted_by: invitation.accepted_by })
    .where('invitation_id', '=', invitation.invitation_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Revokes the open invitations of an address, which is given in lower case. */
export async function revokeForEmail(
  tx: Db,
  { account_id, email }: { readonly account_id: string; readonly email: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account_invitations')
    .set({ revoked_at: now })
    .where('account_id', '=', account_id)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function revoke(
  tx: Db,
  key: { readonly account_id: string; readonly invitation_id: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_invitations')
    .set({ revoked_at: now })
    .where('account_id', '=', key.account_id)
    .where('invitation_id', '=', key.invitation_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
