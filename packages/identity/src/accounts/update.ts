import { audited, type Context, requireAccount } from '@svc/context'
import { type AccountRow, accounts } from '@svc/db'

export interface UpdateAccountInput {
  readonly account_id: string
  readonly name?: string | undefined
  readonly default_model?: string | null | undefined
  readonly gateway_new_projects?: boolean | undefined
}

/** Owners and admins set the name of their account, and what its sessions and projects begin with. */
export async function updateAccount(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: UpdateAccountInput,
) {
  const { account_id, name, default_model, gateway_new_projects } = input
  const patch = {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(default_model === undefined ? {} : { default_model }),
    ...(gateway_new_projects === undefined ? {} : { gateway_new_projects }),
  }
  const mine = await requireAccount(ctx, account_id, 'admin')
  const entry = { account_id, action: 'updateAccount', target: `accounts/${account_id}` }
  const row = await audited(ctx, entry, async (tx) =>
    Object.keys(patch).length === 0 ? mine : ((await accounts.update(tx, account_id, patch)) ?? mine),
  )
  return present(row)
}

function present({ account_id, name, tier, default_model, gateway_new_projects }: AccountRow) {
  return { account_id, name, tier, default_model, gateway_new_projects }
}
