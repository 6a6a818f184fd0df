import { randomBytes } from 'node:crypto'
import { type Context, recordAudit, requireAccount } from '@svc/context'
import { accountDomains, accounts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { claimableDomain } from './mail-domain.ts'
import { domainTarget, presentDomain, domainTaken } from './present.ts'

const lifetimeMs = 7 * 86_400_000
const maxClaims = 100

/**
 * Returns the DNS record that would prove that a mail domain is the account's. Several accounts may claim one domain; a
 * claim that is not proved ends after seven days. Throws `domain_not_allowed`, `domain_taken`.
 */
export async function claimDomain(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { readonly account_id: string; readonly domain: string },
) {
  const { account_id } = input
  await requireAccount(ctx, account_id, 'owner', 'sso')
  const domain = claimableDomain(input.domain)
  return ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, account_id)
    const owner = await accountDomains.findOwner(tx, domain)
    if (owner !== undefined && owner !== account_id) throw domainTaken(domain)
    const now = ctx.now()
    const claims = await accountDomains.list(tx, account_id, now)
    if (claims.length >= maxClaims && !claims.some((claim) => claim.domain === domain))
      throw new ServiceError(
        'conflict',
        `An account claims ${maxClaims} domains at the most; delete one first`,
      )
    const row = await accountDomains.claim(
      tx,
      { account_id, domain },
      {
        challenge: randomBytes(24).toString('base64url'),
        now,
        expires_at: new Date(now.getTime() + lifetimeMs),
      },
    )
    const target = domainTarget(account_id, domain)
    await recordAudit(ctx, tx, { account_id, action: 'claimDomain', target })
    return presentDomain(row)
  })
}
