import { uuidPattern } from '@svc/facts'
import { accountDomains, accountSso, type AccountSsoRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Configuration } from 'openid-client'
import type { IdentityBase } from '../../context.ts'
import { domainOfAddress } from '../../domains/mail-domain.ts'
import { openClientSecret } from './client-secret.ts'
import { openIssuer } from './issuer.ts'
import { away } from './providers.ts'
import { ssoUrl } from './urls.ts'

export interface FoundProvider {
  readonly name: string
  readonly config: Configuration
  /** The account that the provider belongs to; null for one of the operator. */
  readonly account: AccountSsoRow | null
}

/** A provider of the operator by its name, or that of an account by the account's id. Throws not_found. */
export async function findProvider(
  ctx: Pick<IdentityBase, 'db' | 'sso' | 'vault' | 'settings'>,
  name: string,
): Promise<FoundProvider> {
  if (ctx.sso?.names.includes(name)) return { name, config: await ctx.sso.find(name), account: null }
  const account = uuidPattern.test(name) ? await accountSso.findWorking(ctx.db, name) : undefined
  if (!account)
    throw new ServiceError('not_found', 'There is no such provider; choose one on the sign-in page')
  const { issuer, client_id } = account
  const client_secret = openClientSecret(ctx.vault, account)
  const config = await openIssuer(ctx, { issuer, client_id, client_secret }).catch((cause: unknown) => {
    throw away(issuer, cause)
  })
  return { name, config, account }
}

/** Other providers that sign people in; when an address is given, those for it, whether its person exists or not. */
export async function listSsoProviders(
  ctx: Pick<IdentityBase, 'db' | 'sso' | 'settings'>,
  { email = '' }: { readonly email?: string | undefined } = {},
) {
  const domain = domainOfAddress(email)
  const own = domain === null ? undefined : await accountSso.findForDomain(ctx.db, domain)
  const enforced = own?.enforced ?? false
  const names = [...(own ? [own.account_id] : []), ...(enforced ? [] : (ctx.sso?.names ?? []))]
  return { providers: names.map((name) => ({ name, url: ssoUrl(ctx, name) })), enforced }
}

/** True when the account has proved that addresses of this domain are its own. */
export async function ownsAddress(
  ctx: Pick<IdentityBase, 'db'>,
  account_id: string,
  email: string,
): Promise<boolean> {
  const domain = domainOfAddress(email)
  return domain !== null && (await accountDomains.findOwner(ctx.db, domain)) === account_id
}
