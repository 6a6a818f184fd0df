import { strictest } from '@svc/access'
import {
  type Context,
  forbidden,
  mintToken,
  recordAudit,
  requireSignInRules,
  requireUser,
} from '@svc/context'
import { accounts, tokens } from '@svc/db'
import { commandLineClient } from '../oauth/clients.ts'
import { requireExpiry, rulesOf } from './expiry.ts'
import { presentToken, unknownToken } from './present.ts'

export async function listTokens(ctx: Pick<Context, 'db' | 'principal'>) {
  const rows = await tokens.listOfUser(ctx.db, requireUser(ctx).user_id)
  return { tokens: rows.map(presentToken) }
}

/** A user token reaches all accounts of its person, so that it keeps the key rules of all of them. */
export async function createToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: { name: string; expires_at?: string | undefined },
) {
  const { user_id, oauth } = requireUser(ctx)
  if (oauth !== undefined && oauth.client_id !== commandLineClient)
    throw forbidden('account.sign_in', 'An app mints no token that would outlive it; use svc tokens new')
  const memberships = await accounts.listMemberships(ctx.db, user_id)
  for (const { account_id } of memberships) requireSignInRules(ctx, account_id)
  const expires_at = requireExpiry(ctx, strictest(memberships.map(rulesOf)), input.expires_at)
  return ctx.db.transaction().execute(async (tx) => {
    const token = { kind: 'user' as const, name: input.name, user_id, project_id: null, expires_at }
    const { row, secret } = await mintToken(ctx, tx, token)
    await recordOwn(ctx, tx, memberships[0]?.account_id, 'createToken', row.token_id)
    return { ...presentToken(row), token: secret }
  })
}

export async function revokeToken(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId'>,
  input: { token_id: string },
): Promise<void> {
  const { user_id } = requireUser(ctx)
  const { token_id } = input
  const [home] = await accounts.listMemberships(ctx.db, user_id)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await tokens.revoke(tx, { kind: 'user', token_id, user_id }, ctx.now()))) throw unknownToken()
    await recordOwn(ctx, tx, home?.account_id, 'revokeToken', token_id)
  })
}

/** Records an act on a person's own token in the log of their first account. */
async function recordOwn(
  ctx: Pick<Context, 'principal' | 'now' | 'newId'>,
  tx: Context['db'],
  account_id: string | undefined,
  action: string,
  token_id: string,
): Promise<void> {
  if (account_id === undefined) return
  await recordAudit(ctx, tx, { account_id, action, target: `accounts/tokens/${token_id}` })
}
