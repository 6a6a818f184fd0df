import type { Principal } from '@svc/access'
import { sandboxes, signIns, tokens } from '@svc/db'
import type { BaseContext } from '../context.ts'
import { browserPrincipal } from './browser-principal.ts'
import { type StoredCredential, storedCredential, unauthorized } from './credential.ts'
import { oauthPrincipal, requireFullScope } from './oauth-principal.ts'
import { revoked } from './refused-credential.ts'
import { principalOfSignIn } from './sign-in-principal.ts'
import { principalOfToken } from './token-principal.ts'

export interface AuthenticateOptions {
  /** For the few routes that an app reaches without the full scope. */
  readonly any_scope?: boolean
}

/** The principal of a bearer token. A token that the platform never formed is refused without a query. */
export async function authenticate(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  token: string,
  options: AuthenticateOptions = {},
): Promise<Principal> {
  const credential = storedCredential(token)
  // The cookie of a browser is none without the page key: see `authenticateBrowser`.
  if (credential === null || credential.prefix === 'svc_bws_') throw unauthorized()
  return authenticateStored(ctx, credential, options)
}

/** The same for a token of which only the hash was kept. */
export async function authenticateStored(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { prefix, hash }: StoredCredential,
  options: AuthenticateOptions = {},
): Promise<Principal> {
  switch (prefix) {
    case 'svc_sbx_':
      return sandboxPrincipal(ctx, hash)
    case 'svc_pat_':
    case 'svc_gw_':
    case 'svc_sa_':
      return tokenPrincipal(ctx, hash)
    case 'svc_usr_':
      return signInPrincipal(ctx, hash)
    case 'svc_bws_':
      return browserPrincipal(ctx, hash)
    case 'svc_oat_':
      return appPrincipal(ctx, hash, options)
    case 'svc_ort_':
    case 'svc_scim_':
    case 'svc_inv_':
    case 'svc_urt_':
    case 'svc_lnk_':
    case 'svc_prv_':
    case 'svc_bwk_':
      throw unauthorized()
  }
}

async function sandboxPrincipal(ctx: Pick<BaseContext, 'db'>, service_key_hash: Buffer): Promise<Principal> {
  const owner = await sandboxes.findByServiceKey(ctx.db, service_key_hash)
  if (!owner) throw unauthorized()
  return { type: 'sandbox', ...owner, service_key_hash }
}

/** An app that a person approved acts as them, within its scopes. */
async function appPrincipal(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  hash: Buffer,
  { any_scope = false }: AuthenticateOptions,
): Promise<Principal> {
  const found = await oauthPrincipal(ctx, hash)
  if (found === undefined) throw unauthorized()
  const { principal, ended } = found
  if (ended) throw revoked(principal)
  if (!any_scope) requireFullScope(principal)
  return principal
}

/** A person's sign-in, by an access token of it. */
async function signInPrincipal(ctx: Pick<BaseContext, 'db' | 'now'>, hash: Buffer): Promise<Principal> {
  const found = await signIns.findByToken(ctx.db, hash, 'access')
  if (!found) throw unauthorized()
  const principal = principalOfSignIn(ctx, found)
  if (found.token_expires_at <= ctx.now()) throw revoked(principal)
  return principal
}

async function tokenPrincipal(ctx: Pick<BaseContext, 'db' | 'now'>, hash: Buffer): Promise<Principal> {
  const row = await tokens.findByHash(ctx.db, hash)
  if (!row) throw unauthorized()
  return principalOfToken(ctx, row)
}
