import { accountSso, type AccountSsoRow, members } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityBase } from '../../context.ts'
import { domainOfAddress } from '../../domains/mail-domain.ts'
import { recordDeniedAddress } from '../audit.ts'
import type { SignInContext } from '../context.ts'
import { ssoUrl } from './urls.ts'

type Asking = Pick<IdentityBase, 'db' | 'settings'>

/** The provider that people of this address must sign in with; null where they may choose. */
export async function findEnforced(ctx: Pick<Asking, 'db'>, email: string): Promise<AccountSsoRow | null> {
  const domain = domainOfAddress(email)
  const sso = domain === null ? undefined : await accountSso.findForDomain(ctx.db, domain)
  return sso?.enforced ? sso : null
}

/**
 * Throws `sso_required` for an address that must use another provider than that of `account_id`, whether its person
 * exists or not.
 */
export async function refuseEnforced(
  ctx: SignInContext,
  email: string,
  action: string,
  account_id: string | null = null,
): Promise<void> {
  const sso = await findEnforced(ctx, email)
  if (sso !== null && sso.account_id !== account_id) throw deniedBySso(ctx, sso, email, action)
}

/** Written down when the address belongs to a person. */
export function deniedBySso(
  ctx: SignInContext,
  sso: AccountSsoRow,
  email: string,
  action: string,
): ServiceError {
  const { account_id } = sso
  recordDeniedAddress(ctx, email, { account_id, action, details: { reason: 'sso_required' } })
  return ssoRequired(ctx, sso)
}

export function ssoRequired(ctx: Pick<Asking, 'settings'>, { account_id }: AccountSsoRow): ServiceError {
  const message = `People of this mail domain sign in by single sign-on: open ${ssoUrl(ctx, account_id)}`
  return new ServiceError('sso_required', message)
}

/** Owners who prove a second factor come in when the provider fails. */
export async function mayBreakGlass(
  ctx: Pick<Asking, 'db'>,
  { account_id }: AccountSsoRow,
  proved: { readonly user_id: string; readonly mfa: boolean },
): Promise<boolean> {
  if (!proved.mfa) return false
  return (await members.find(ctx.db, { account_id, user_id: proved.user_id }))?.role === 'owner'
}
