import { type Context, tokenHash } from '@svc/context'
import { oauth } from '@svc/db'
import { endApproval } from './end-approval.ts'

/**
 * Ends the approval that the token came of, with everything else that came of it. A caller who holds a token may end it;
 * a client that names itself ends only its own. Unknown tokens count as ended.
 */
export async function revokeOAuthToken(
  ctx: Pick<Context, 'db' | 'now' | 'newId' | 'trail'>,
  { token, client_id }: { readonly token: string; readonly client_id?: string | undefined },
): Promise<void> {
  const id_hash = tokenHash(token)
  for (const model of ['RefreshToken', 'AccessToken'] as const) {
    const row = await oauth.find(ctx.db, { model, id_hash })
    if (!row || row.grant_hash === null) continue
    if (client_id !== undefined && client_id !== row.client_id) continue
    await endApproval(ctx, row.grant_hash, 'revoked')
  }
}
