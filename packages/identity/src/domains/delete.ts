import { type Context, recordAudit, requireAccount } from '@svc/context'
import { accountDomains } from '@svc/db'
import { domainOfPath, domainTarget, unknownDomain } from './present.ts'

/** Frees the domain: its people sign in like all others, and another account may prove it. */
export async function deleteDomain(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { readonly account_id: string; readonly domain: string },
): Promise<void> {
  const { account_id } = input
  await requireAccount(ctx, account_id, 'owner')
  const domain = domainOfPath(input.domain)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await accountDomains.remove(tx, { account_id, domain }))) throw unknownDomain()
    const target = domainTarget(account_id, domain)
    await recordAudit(ctx, tx, { account_id, action: 'deleteDomain', target })
  })
}
