import { type ScimPrincipal, tokenPrefix } from '@svc/access'
import { type BaseContext, revoked, tokenHash, touchToken } from '@svc/context'
import { tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The directory that a token stands for. A credential that signs a person in elsewhere is none here. */
export async function authenticateDirectory(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  token: string,
): Promise<ScimPrincipal> {
  const row =
    tokenPrefix(token) === 'svc_scim_' ? await tokens.findByHash(ctx.db, tokenHash(token)) : undefined
  if (row?.kind !== 'scim' || row.account_id === null)
    throw new ServiceError(
      'unauthorized',
      'This needs a valid token of a directory: Authorization: Bearer svc_scim_…',
    )
  const principal = { type: 'scim', token_id: row.token_id, account_id: row.account_id } as const
  const now = ctx.now()
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw revoked(principal)
  await touchToken(ctx, row)
  return principal
}
