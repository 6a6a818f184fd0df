import { recordAudit, requireAccount, requireUser } from '@svc/context'
import { accounts, type AccountSsoRow, accountSso, type Db, oauth, signIns, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../../context.ts'
import { openClientSecret, sealClientSecret } from './client-secret.ts'
import { openIssuer } from './issuer.ts'
import { callbackOf } from './urls.ts'

type SsoContext = Pick<IdentityContext, 'db' | 'principal' | 'settings' | 'vault' | 'now' | 'newId' | 'trail'>

export interface AccountSsoInput {
  readonly account_id: string
  readonly issuer: string
  readonly client_id: string
  /** Left out, the one that is kept stays, as long as issuer and client do. */
  readonly client_secret?: string | undefined
  readonly enforced: boolean
  readonly default_role: AccountSsoRow['default_role']
}

export async function getAccountSso(
  ctx: Pick<IdentityContext, 'db' | 'principal' | 'settings'>,
  input: { readonly account_id: string },
) {
  await requireAccount(ctx, input.account_id, 'admin')
  const row = await accountSso.find(ctx.db, input.account_id)
  if (!row) throw none()
  return present(ctx, row)
}

/**
 * The provider of the account, once it was seen to answer. Another one than before ends the sign-ins that the one
 * before opened. Throws `issuer_not_usable` (422), `conflict` when the owner who enforces it has no way back.
 */
export async function setAccountSso(ctx: SsoContext, input: AccountSsoInput) {
  const { account_id, issuer, client_id, enforced, default_role } = input
  await requireAccount(ctx, account_id, 'owner', 'sso')
  if (enforced) await requireWayBack(ctx)
  const before = await accountSso.find(ctx.db, account_id)
  const same = before?.issuer === issuer && before.client_id === client_id
  const client_secret = input.client_secret ?? (before && same ? openClientSecret(ctx.vault, before) : null)
  if (client_secret === null) throw secretMissing()
  await openIssuer(ctx, { issuer, client_id, client_secret })
  const sealed = sealClientSecret(ctx.vault, { account_id, issuer, client_id }, client_secret)
  return ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, account_id)
    const replaced = await accountSso.find(tx, account_id)
    if (input.client_secret === undefined && replaced?.updated_at.getTime() !== before?.updated_at.getTime())
      throw new ServiceError('conflict', 'It was changed at the same time; look at it and try again')
    const now = ctx.now()
    const said = { account_id, issuer, client_id, enforced, default_role, ...sealed }
    const row = await accountSso.put(tx, { ...said, created_at: now, updated_at: now })
    if (replaced && (replaced.issuer !== issuer || replaced.client_id !== client_id))
      await endWhatItOpened(tx, account_id, now)
    const secret_changed = input.client_secret !== undefined
    await recordAudit(ctx, tx, {
      account_id,
      action: 'setAccountSso',
      target: target(account_id),
      details: { issuer, client_id, enforced, default_role, secret_changed },
    })
    return present(ctx, row)
  })
}

/** People of the account's domains sign in as all others do; the sign-ins that the provider opened end. */
export async function deleteAccountSso(
  ctx: Pick<IdentityContext, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { readonly account_id: string },
): Promise<void> {
  const { account_id } = input
  await requireAccount(ctx, account_id, 'owner')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await accountSso.remove(tx, account_id))) throw none()
    await endWhatItOpened(tx, account_id, ctx.now())
    await recordAudit(ctx, tx, { account_id, action: 'deleteAccountSso', target: target(account_id) })
  })
}

/** Sign-ins, and what people approved in them. */
async function endWhatItOpened(tx: Db, account_id: string, now: Date): Promise<void> {
  await signIns.endOfSso(tx, account_id, now)
  await oauth.removeOfSso(tx, account_id)
}

/** Owners with two-factor still come in when the provider fails: the owner who closes the other ways is one of them. */
async function requireWayBack(ctx: Pick<IdentityContext, 'db' | 'principal' | 'trail'>): Promise<void> {
  const user = await userCredentials.find(ctx.db, requireUser(ctx).user_id)
  if (user?.two_factor) return
  const message = 'Turn two-factor on for yourself first: it is the way in when the provider fails'
  throw new ServiceError('conflict', message)
}

function secretMissing(): ServiceError {
  const message = 'is needed: there is none yet for this issuer and client'
  return new ServiceError('invalid_request', `client_secret: ${message}`, {
    issues: [{ path: 'client_secret', message }],
  })
}

const target = (account_id: string) => `accounts/${account_id}/sso`

function none(): ServiceError {
  return new ServiceError('not_found', 'The account has no provider of its own; set one first')
}

function present(ctx: Pick<IdentityContext, 'settings'>, row: AccountSsoRow) {
  const { account_id, issuer, client_id, enforced, default_role, created_at, updated_at } = row
  const redirect_uri = callbackOf(ctx, account_id)
  return { issuer, client_id, enforced, default_role, redirect_uri, created_at, updated_at }
}
