import { type AccountRow, accounts } from '@svc/db'
import { requireAccount } from '../access/require.ts'
import { audited } from '../audit/record.ts'
import type { Context } from '../context.ts'

export interface UpdateAccountInput {
  readonly account_id: string
  readonly default_model?: string | null | undefined
}

/** Owners and admins set what their account's sessions begin with. */
export async function updateAccount(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: UpdateAccountInput,
) {
  const { account_id, default_model } = input
  const mine = await requireAccount(ctx, account_id, 'admin')
  const entry = { account_id, action: 'updateAccount', target: `accounts/${account_id}` }
  const row = await audited(ctx, entry, async (tx) =>
    default_model === undefined
      ? mine
      : ((await accounts.setDefaultModel(tx, account_id, default_model)) ?? mine),
  )
  return present(row)
}

function present({ account_id, name, tier, default_model }: AccountRow) {
  return { account_id, name, tier, default_model }
}
