import { type AccountRow, accounts } from '@svc/db'
import { requireAccount } from '../access/require.ts'
import type { Context } from '../context.ts'

export interface UpdateAccountInput {
  readonly account_id: string
  readonly default_model?: string | null | undefined
}

/** Owners and admins set what their account's sessions begin with. */
export async function updateAccount(ctx: Pick<Context, 'db' | 'principal'>, input: UpdateAccountInput) {
  const { account_id, default_model } = input
  const mine = await requireAccount(ctx, account_id, 'admin')
  if (default_model === undefined) return present(mine)
  const row = await accounts.setDefaultModel(ctx.db, account_id, default_model)
  return present(row ?? mine)
}

function present({ account_id, name, tier, default_model }: AccountRow) {
  return { account_id, name, tier, default_model }
}
