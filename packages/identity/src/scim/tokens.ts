import { type Context, mintToken, recordAudit, requireAccount, requireUser } from '@svc/context'
import { tokens } from '@svc/db'
import { requireExpiry, rulesOf } from '../tokens/expiry.ts'
import { presentToken, unknownToken } from '../tokens/present.ts'
import { directoryUrl } from './context.ts'

type TokenContext = Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'settings' | 'trail'>

/** With the address that the directory is told. */
export async function listScimTokens(
  ctx: Pick<Context, 'db' | 'principal' | 'settings'>,
  input: { account_id: string },
) {
  await requireAccount(ctx, input.account_id, 'admin')
  const rows = await tokens.listOfDirectory(ctx.db, input.account_id)
  return { scim_url: directoryUrl(ctx, input.account_id), tokens: rows.map(presentToken) }
}

/** The token is the account's: it stays when the person who made it goes. */
export async function createScimToken(
  ctx: TokenContext,
  input: { account_id: string; name: string; expires_at?: string | undefined },
) {
  const { account_id, name } = input
  const account = await requireAccount(ctx, account_id, 'admin', 'scim')
  const { user_id } = requireUser(ctx)
  const expires_at = requireExpiry(ctx, rulesOf(account), input.expires_at)
  return ctx.db.transaction().execute(async (tx) => {
    const token = { kind: 'scim' as const, name, user_id, account_id, project_id: null, expires_at }
    const { row, secret } = await mintToken(ctx, tx, token)
    const target = `accounts/${account_id}/scim-tokens/${row.token_id}`
    await recordAudit(ctx, tx, { account_id, action: 'createScimToken', target, details: { name } })
    return { ...presentToken(row), token: secret, scim_url: directoryUrl(ctx, account_id) }
  })
}

export async function revokeScimToken(
  ctx: TokenContext,
  input: { account_id: string; token_id: string },
): Promise<void> {
  const { account_id, token_id } = input
  await requireAccount(ctx, account_id, 'admin')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await tokens.revoke(tx, { kind: 'scim', token_id, account_id }, ctx.now()))) throw unknownToken()
    const target = `accounts/${account_id}/scim-tokens/${token_id}`
    await recordAudit(ctx, tx, { account_id, action: 'revokeScimToken', target })
  })
}
