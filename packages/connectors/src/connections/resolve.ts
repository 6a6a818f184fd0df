import { connections, type ConnectionRow, type Db, type sessions } from '@svc/db'
import type { Connector } from '@svc/manifest'
import { needsConnection } from '../connectors/definition.ts'

export interface Asking {
  readonly project_id: string
  readonly session: sessions.SessionView | null
  readonly user_id: string
}

export type Resolved =
  | { readonly kind: 'none_needed' }
  | { readonly kind: 'connection'; readonly connection: ConnectionRow }
  | { readonly kind: 'missing'; readonly why: 'none' | 'expired' | 'revoked' }

/**
 * The connection that a call is made with: the one that the session names; else, where the connector works with each
 * person's own, the own one of the person who started the session in person, or who calls directly; else the project's
 * default. Never one of the other kind in its place.
 */
export async function resolveConnection(db: Db, connector: Connector, asking: Asking): Promise<Resolved> {
  if (!needsConnection(connector)) return { kind: 'none_needed' }
  const { project_id, session } = asking
  const { slug } = connector
  const bound = session?.requested.connectors?.find((one) => one.slug === slug)?.connection_id ?? null
  if (bound !== null) {
    const connection = await connections.find(db, { project_id, connection_id: bound })
    const theirs = connection?.user_id == null || connection.user_id === session?.created_by
    return usable(connection !== undefined && connection.slug === slug && theirs ? connection : undefined)
  }
  if (connector.authorization_strategy === 'project')
    return usable(await connections.findDefault(db, { project_id, slug }, null))
  const person = personOf(asking)
  return person === null ? missing : usable(await connections.findDefault(db, { project_id, slug }, person))
}

/** The person whose own connections count; null for a session that is shared, or that no person started. */
function personOf({ session, user_id }: Asking): string | null {
  if (session === null) return user_id
  return session.origin === 'user' && session.visibility === 'private' ? session.created_by : null
}

const missing: Resolved = { kind: 'missing', why: 'none' }

function usable(connection: ConnectionRow | undefined): Resolved {
  if (connection === undefined || connection.status === 'pending') return missing
  if (connection.status === 'active') return { kind: 'connection', connection }
  return { kind: 'missing', why: connection.status }
}
