import { type Context, requireAccount } from '@svc/context'
import { accountDomains } from '@svc/db'
import { presentDomain } from './present.ts'

export async function listDomains(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: { readonly account_id: string },
) {
  await requireAccount(ctx, input.account_id, 'admin')
  const rows = await accountDomains.list(ctx.db, input.account_id, ctx.now())
  return { domains: rows.map(presentDomain) }
}
