import type { Principal } from '@svc/access'
import { type TokenRow, tokens } from '@svc/db'
import { treeOf } from '@svc/session'
import type { BaseContext } from '../context.ts'
import { unauthorized } from './credential.ts'
import { revoked } from './refused-credential.ts'

/** The principal of a token that was minted, as long as it is of use. */
export async function principalOfToken(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  row: tokens.TokenOfSession,
): Promise<Principal> {
  const principal = ownerOf(row)
  if (principal === null) throw unauthorized()
  const now = ctx.now()
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw revoked(principal)
  const working = ofSession(row, principal)
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
function ofSession({ session }: tokens.TokenOfSession, principal: Principal): Principal {
  if (principal.type !== 'session' && principal.type !== 'gateway') return principal
  if (principal.session_id === null) return principal
  if (session === null) throw revoked(principal)
  if (principal.type === 'gateway') return principal
  const { agent_grant: grant, merge_granted } = session
  return { ...principal, tree_id: treeOf(session), grant, merge_granted }
}
