import { createHash } from 'node:crypto'
import { type Principal, tokenPrefix } from '@svc/access'
import { sandboxes, sessions, type TokenRow, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { BaseContext } from '../context.ts'

/** Only the SHA-256 of a token is stored: a copy of the database signs nobody in. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Whom a bearer token stands for. A token that the platform never formed is refused without a query. */
export async function authenticate(ctx: Pick<BaseContext, 'db' | 'now'>, token: string): Promise<Principal> {
  const prefix = tokenPrefix(token)
  switch (prefix) {
    case 'svc_sbx_':
      return sandboxPrincipal(ctx, token)
    case 'svc_pat_':
    case 'svc_gw_':
    case 'svc_sa_':
      return tokenPrincipal(ctx, token)
    case 'svc_oat_':
    case 'svc_ort_':
    case 'svc_scim_':
    case 'svc_inv_':
    case null:
      throw unauthorized()
  }
}

async function sandboxPrincipal(ctx: Pick<BaseContext, 'db'>, token: string): Promise<Principal> {
  const owner = await sandboxes.findByServiceKey(ctx.db, tokenHash(token))
  if (!owner) throw unauthorized()
  return { type: 'sandbox', ...owner }
}

async function tokenPrincipal(ctx: Pick<BaseContext, 'db' | 'now'>, token: string): Promise<Principal> {
  const row = await tokens.findByHash(ctx.db, tokenHash(token))
  if (!row) throw unauthorized()
  const now = ctx.now()
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw revoked()
  const principal = await principalOf(ctx, row)
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > 60_000) {
    await tokens.touch(ctx.db, row.token_id, now)
  }
  return principal
}

async function principalOf(ctx: Pick<BaseContext, 'db'>, row: TokenRow): Promise<Principal> {
  const { user_id, token_id, account_id, project_id, session_id } = row
  if (row.kind === 'user') return { type: 'user', user_id, token_id }
  if (row.kind === 'service' && account_id !== null) return { type: 'service', user_id, token_id, account_id }
  if (project_id === null) throw unauthorized()
  if (row.kind === 'project') {
    return { type: 'project', user_id, token_id, project_id, default_branch: row.default_branch }
  }
  if (row.kind === 'gateway' && session_id === null)
    return { type: 'gateway', token_id, project_id, session_id }
  const session = session_id === null ? undefined : await sessions.find(ctx.db, { project_id, session_id })
  if (!session) throw revoked()
  if (row.kind === 'gateway') return { type: 'gateway', token_id, project_id, session_id }
  return {
    type: 'session',
    user_id,
    token_id,
    project_id,
    session_id: session.session_id,
    grant: session.agent_grant,
    merge_granted: session.merge_granted,
  }
}

function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The token is missing or not valid; sign in again with svc login')
}

function revoked(): ServiceError {
  return new ServiceError(
    'session_token_revoked',
    'This credential was revoked, has expired or belongs to a closed session',
  )
}
