import { type Context, mintToken, recordAudit, requireAccount } from '@svc/context'
import { serviceAccounts, tokens } from '@svc/db'
import { requireExpiry, rulesOf } from '../tokens/expiry.ts'
import { presentToken, unknownToken } from '../tokens/present.ts'
import { type ServiceAccountInput, targetOf, unknownServiceAccount } from './service-accounts.ts'

export async function listServiceAccountKeys(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: ServiceAccountInput,
) {
  await requireAccount(ctx, input.account_id, 'admin')
  if (!(await serviceAccounts.find(ctx.db, input))) throw unknownServiceAccount()
  const rows = await tokens.listOfServiceAccount(ctx.db, input.service_account_id)
  return { tokens: rows.map(presentToken) }
}

export async function createServiceAccountKey(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: ServiceAccountInput & { name: string; expires_at?: string | undefined },
) {
  const { account_id, service_account_id, name } = input
  const account = await requireAccount(ctx, account_id, 'admin')
  const expires_at = requireExpiry(ctx, rulesOf(account), input.expires_at)
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await serviceAccounts.lock(tx, input))) throw unknownServiceAccount()
    const { row, secret } = await mintToken(ctx, tx, {
      kind: 'service',
      name,
      user_id: service_account_id,
      account_id,
      project_id: null,
      expires_at,
    })
    await recordAudit(ctx, tx, {
      account_id,
      action: 'createServiceAccountKey',
      target: `${targetOf(input)}/keys/${row.token_id}`,
    })
    return { ...presentToken(row), token: secret }
  })
}

export async function revokeServiceAccountKey(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: ServiceAccountInput & { token_id: string },
): Promise<void> {
  const { account_id, service_account_id: user_id, token_id } = input
  await requireAccount(ctx, account_id, 'admin')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await serviceAccounts.find(tx, input))) throw unknownServiceAccount()
    if (!(await tokens.revoke(tx, { kind: 'service', token_id, user_id }, ctx.now()))) throw unknownToken()
    await recordAudit(ctx, tx, {
      account_id,
      action: 'revokeServiceAccountKey',
      target: `${targetOf(input)}/keys/${token_id}`,
    })
  })
}
