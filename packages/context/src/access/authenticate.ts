import type { Principal } from '@svc/access'
import { sandboxes, sessions, signIns, type TokenRow, tokens } from '@svc/db'
import { treeOf } from '@svc/session'
import type { BaseContext } from '../context.ts'
import { type StoredCredential, storedCredential, unauthorized } from './credential.ts'
import { oauthPrincipal, requireFullScope } from './oauth-principal.ts'
import { revoked } from './refused-credential.ts'

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
  if (credential === null) throw unauthorized()
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
    case 'svc_oat_':
      return appPrincipal(ctx, hash, options)
    case 'svc_ort_':
    case 'svc_scim_':
    case 'svc_inv_':
    case 'svc_urt_':
    case 'svc_lnk_':
    case 'svc_prv_':
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

/** A person's sign-in. Its end holds from the next request on, whatever life its tokens had left. */
async function signInPrincipal(ctx: Pick<BaseContext, 'db' | 'now'>, hash: Buffer): Promise<Principal> {
  const found = await signIns.findByToken(ctx.db, hash, 'access')
  if (!found) throw unauthorized()
  const now = ctx.now()
  const { user_id, sign_in_id, mfa, mfa_accounts, sso_accounts: sso_needed_by } = found
  if (found.ended_at !== null || found.expires_at <= now || found.token_expires_at <= now)
    throw revoked({ type: 'user', user_id, token_id: sign_in_id })
  const sign_in = { sign_in_id, mfa, mfa_needed_by: mfa ? [] : mfa_accounts, sso_needed_by }
  return { type: 'user', user_id, token_id: sign_in_id, sign_in }
}

async function tokenPrincipal(ctx: Pick<BaseContext, 'db' | 'now'>, hash: Buffer): Promise<Principal> {
  const row = await tokens.findByHash(ctx.db, hash)
  if (!row) throw unauthorized()
  const principal = ownerOf(row)
  if (principal === null) throw unauthorized()
  const now = ctx.now()
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw revoked(principal)
  const working = await ofSession(ctx, row, principal)
  await touchToken(ctx, row)
  return working
}

/** Notes the use of a token, once a minute. */
export async function touchToken(ctx: Pick<BaseContext, 'db' | 'now'>, row: TokenRow): Promise<void> {
  const now = ctx.now()
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > 60_000) {
    await tokens.touch(ctx.db, row.token_id, now)
  }
}

/** The principal of a token's row, valid or not. */
function ownerOf(row: TokenRow): Principal | null {
  const { user_id, token_id, account_id, project_id, session_id } = row
  if (row.kind === 'user') return { type: 'user', user_id, token_id }
  if (row.kind === 'service' && account_id !== null) return { type: 'service', user_id, token_id, account_id }
  if (project_id === null) return null
  if (row.kind === 'project')
    return { type: 'project', user_id, token_id, project_id, default_branch: row.default_branch }
  if (row.kind === 'gateway') return { type: 'gateway', token_id, project_id, session_id }
  if (row.kind !== 'session' || session_id === null) return null
  const nothing = { grant: [], merge_granted: false }
  return { type: 'session', user_id, token_id, project_id, session_id, tree_id: session_id, ...nothing }
}

/** A token of a session ends with it, and has what its agent was granted. */
async function ofSession(
  ctx: Pick<BaseContext, 'db'>,
  { project_id, session_id }: TokenRow,
  principal: Principal,
): Promise<Principal> {
  if (principal.type !== 'session' && principal.type !== 'gateway') return principal
  if (project_id === null || session_id === null) return principal
  const session = await sessions.find(ctx.db, { project_id, session_id })
  if (!session) throw revoked(principal)
  if (principal.type === 'gateway') return principal
  const { agent_grant: grant, merge_granted } = session
  return { ...principal, tree_id: treeOf(session), grant, merge_granted }
}
