import { recordAudit, requireAccount } from '@svc/context'
import { accountDomains, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../context.ts'
import { domainOfPath, domainTarget, presentDomain, recordOf, domainTaken, unknownDomain } from './present.ts'
import { createTxtLookup } from './txt-lookup.ts'

const ofTheMachine = createTxtLookup()

/**
 * Looks for the record of a claim. From then on the domain is this account's and no other's, until it deletes it. Throws
 * `domain_not_proved` (422) as long as the record is not to be seen, `domain_taken` when another account was first.
 */
export async function verifyDomain(
  ctx: Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'txt_lookup'>,
  input: { readonly account_id: string; readonly domain: string },
) {
  const { account_id } = input
  await requireAccount(ctx, account_id, 'owner', 'sso')
  const domain = domainOfPath(input.domain)
  const claim = await accountDomains.find(ctx.db, { account_id, domain }, ctx.now())
  if (!claim) throw unknownDomain()
  if (claim.verified_at !== null) return presentDomain(claim)
  const record = recordOf(claim)
  const texts = await (ctx.txt_lookup ?? ofTheMachine)(record.name)
  if (!texts.includes(record.value)) throw notProved(record, texts.length)
  return ctx.db.transaction().execute(async (tx) => {
    const row = await accountDomains.prove(tx, { account_id, domain }, ctx.now())
    if (!row) return provedBefore(ctx, tx, { account_id, domain })
    const target = domainTarget(account_id, domain)
    await recordAudit(ctx, tx, { account_id, action: 'verifyDomain', target })
    return presentDomain(row)
  })
}

/** Answers when another request proved it first, for the same account or for another one. */
async function provedBefore(ctx: Pick<IdentityContext, 'now'>, tx: Db, key: accountDomains.DomainKey) {
  const owner = await accountDomains.findOwner(tx, key.domain)
  if (owner !== undefined && owner !== key.account_id) throw domainTaken(key.domain)
  const row = await accountDomains.find(tx, key, ctx.now())
  if (!row) throw unknownDomain()
  return presentDomain(row)
}

function notProved(record: ReturnType<typeof recordOf>, others: number): ServiceError {
  const seen = others === 0 ? 'no TXT record' : `${others} other TXT record${others === 1 ? '' : 's'}`
  const message = `There is ${seen} at ${record.name}; add one that says ${record.value}, wait until name servers hand it out, and try again`
  return new ServiceError('domain_not_proved', message, { record })
}
