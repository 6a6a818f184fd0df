import { type AuthorizationRow, connectorAuthorizations, connections, type Db } from '@svc/db'

/** Ends an authorization that came to nothing, and the connection that waited for it alone. */
export async function endSignIn(
  tx: Db,
  { authorization_id, project_id, connection_id }: AuthorizationRow,
  {
    status,
    error,
    now,
  }: { readonly status: 'failed' | 'expired'; readonly error: string; readonly now: Date },
): Promise<AuthorizationRow | undefined> {
  const ended = await connectorAuthorizations.end(tx, authorization_id, { status, error })
  if (ended === undefined) return undefined
  const waiting = await connections.lock(tx, { project_id, connection_id })
  if (waiting?.status === 'pending')
    await connections.update(tx, connection_id, { status: 'revoked', updated_at: now })
  return ended
}
