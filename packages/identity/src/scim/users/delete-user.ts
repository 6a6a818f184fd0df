import { recordAudit } from '@svc/context'
import { scimUsers } from '@svc/db'
import { auditTarget, directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { type Precondition, requireMatch } from '../documents/etag.ts'
import { deactivate, lockUser, stopSessionsOf } from './membership.ts'
import { presentUser } from './user-document.ts'

/** Deletes the membership, its roles and the directory's data. The person stays, for they may belong elsewhere. */
export async function deleteScimUser(
  ctx: ScimContext,
  input: Precondition & { readonly account_id: string; readonly user_id: string },
): Promise<void> {
  const { account_id, user_id } = input
  const key = { account_id, user_id }
  await requireDirectory(ctx, account_id)
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, key)
    requireMatch(input, presentUser(user, directoryUrl(ctx, account_id)).etag)
    await deactivate(ctx, tx, key)
    await scimUsers.remove(tx, key)
    await recordAudit(ctx, tx, {
      account_id,
      action: 'deleteScimUser',
      target: auditTarget(account_id, 'Users', user_id),
      details: { user_name: user.user_name },
    })
  })
  await stopSessionsOf(ctx, key)
}
