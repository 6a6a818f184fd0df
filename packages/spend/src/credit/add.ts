import { type Context, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { allAccounts, credit } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { presentEntry } from './present.ts'

export interface AddCreditInput {
  readonly account_id: string
  readonly amount_micros: number
  readonly reason: string
  readonly idempotency_key?: string | undefined
}

/** The operator's keys share a table with those of usage and of months. */
const prefix = 'operator:'

/** Adds to the credit of an account, or takes from it; the first entry makes the credit. Once by key. */
export async function addCredit(
  ctx: Pick<Context, 'db' | 'principal' | 'trail' | 'now' | 'newId'>,
  { account_id, amount_micros, reason, idempotency_key }: AddCreditInput,
) {
  await requirePlatformAdmin(ctx)
  const key = idempotency_key === undefined ? null : `${prefix}${idempotency_key}`
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await allAccounts.lock(tx, account_id)))
      throw new ServiceError('not_found', 'There is no such account; list the accounts again.')
    const at = ctx.now()
    await credit.open(tx, account_id, at)
    const before = key === null ? undefined : await credit.findEntry(tx, account_id, key)
    if (before !== undefined) {
      if (before.amount_micros === amount_micros) return { created: false, entry: presentEntry(before) }
      throw new ServiceError(
        'IDEMPOTENCY_KEY_CONFLICT',
        'This key has made an entry of another amount; take a new key for another entry.',
        { entry_id: before.entry_id },
      )
    }
    const kind = amount_micros > 0 ? 'grant' : 'adjustment'
    const entry_id = ctx.newId()
    const made = await credit.addEntry(tx, {
      ...{ entry_id, account_id, at, kind, amount_micros, reason },
      idempotency_key: key,
    })
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id, action: 'addCredit', target: `admin/accounts/${account_id}/credit` },
      details: { entry_id, kind, amount_micros, reason },
    })
    return { created: true, entry: presentEntry(made) }
  })
}
