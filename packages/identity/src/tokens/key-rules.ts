import { type Context, recordAudit, requireAccount } from '@svc/context'
import { accounts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { rulesOf } from './expiry.ts'

export async function getKeyRules(ctx: Pick<Context, 'db' | 'principal'>, input: { account_id: string }) {
  return rulesOf(await requireAccount(ctx, input.account_id, 'member'))
}

/** Sets the rules of the account for keys made from now on; those that exist stay as they are. */
export async function setKeyRules(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: { account_id: string; expiry_required: boolean; max_days: number | null },
) {
  const { account_id, expiry_required, max_days } = input
  await requireAccount(ctx, account_id, 'admin')
  return ctx.db.transaction().execute(async (tx) => {
    const patch = { key_expiry_required: expiry_required, key_max_days: max_days }
    const row = await accounts.update(tx, account_id, patch)
    if (!row) throw new ServiceError('not_found', 'There is no such account; list those that you belong to')
    await recordAudit(ctx, tx, {
      account_id,
      action: 'setKeyRules',
      target: `accounts/${account_id}/key-rules`,
      details: { expiry_required, max_days },
    })
    return rulesOf(row)
  })
}
