import { connections, type ConnectionRow, type ConnectorRow, type Db, type sessions } from '@svc/db'
import type { Connector } from '@svc/manifest'
import { isOwnersOwn } from '@svc/session'
import { needsConnection, takesSignIn } from '../connectors/definition.ts'

export interface Asking {
  /** The connection that was chosen for the session; null leaves it to a default. */
  readonly bound: string | null
  /** The person whose own connections may be chosen; null where others drive the session, or start it, as well. */
  readonly owner: string | null
  /** True where the owner started it in person, or calls directly: own connections then count without being chosen. */
  readonly in_person: boolean
}

export type Resolved<Row = ConnectionRow> =
  | { readonly kind: 'none_needed' }
  | { readonly kind: 'connection'; readonly connection: Row }
  | { readonly kind: 'missing'; readonly why: 'none' | 'expired' | 'revoked' }

type Owned = Pick<sessions.SessionView, 'created_by' | 'origin' | 'requested'>

/** The wish of a session for a connection of a connector. One that is shared asks for no person’s own. */
export function askingOf(
  caller: {
    readonly session: (Owned & Pick<sessions.SessionView, 'visibility'>) | null
    readonly user_id: string
  },
  slug: string,
): Asking {
  const { session, user_id } = caller
  if (session === null) return { bound: null, owner: user_id, in_person: true }
  const asking = askingAlone(session, slug)
  return session.visibility === 'private' ? asking : { ...asking, owner: null }
}

/** The same for a session that is its owner's alone. One that others speak into is of no person. */
export function askingAlone({ created_by, origin, requested }: Owned, slug: string): Asking {
  return {
    bound: requested.connectors?.find((one) => one.slug === slug)?.connection_id ?? null,
    owner: isOwnersOwn(origin) ? created_by : null,
    in_person: origin === 'user',
  }
}

export async function resolveConnection(
  db: Db,
  project_id: string,
  connector: Connector,
  asking: Asking,
  status: ConnectorRow['status'] | null,
): Promise<Resolved> {
  if (!mayConnect(connector)) return { kind: 'none_needed' }
  const { slug } = connector
  return pickConnection(
    connector,
    asking,
    await connections.list(db, { project_id, slug, user_id: asking.owner }),
    status,
  )
}

/**
 * The connection that a call is made with: the one that was chosen for the session; else, where the connector works with
 * each person's own, the own one of the person who started the session in person, or who calls directly; else the
 * project's default. Never one of the other kind in its place.
 */
export function pickConnection<Row extends connections.ConnectionChoice>(
  connector: Connector,
  asking: Asking,
  rows: readonly Row[],
  status: ConnectorRow['status'] | null,
): Resolved<Row> {
  if (!mayConnect(connector)) return { kind: 'none_needed' }
  const found = pick(connector, asking, rows)
  return found.kind === 'missing' && found.why === 'none' && !needsConnection(connector, status)
    ? { kind: 'none_needed' }
    : found
}

const mayConnect = (connector: Connector) => needsConnection(connector) || takesSignIn(connector)

function pick<Row extends connections.ConnectionChoice>(
  connector: Connector,
  { bound, owner, in_person }: Asking,
  rows: readonly Row[],
): Resolved<Row> {
  const { slug, authorization_strategy } = connector
  const theirs = rows.filter((row) => row.slug === slug && (row.user_id === null || row.user_id === owner))
  if (bound !== null) return usable(theirs.find(({ connection_id }) => connection_id === bound))
  if (authorization_strategy === 'user' && (owner === null || !in_person)) return missing
  const whose = authorization_strategy === 'user' ? owner : null
  return usable(theirs.find(({ is_default, user_id }) => is_default && user_id === whose))
}

const missing = { kind: 'missing', why: 'none' } as const

function usable<Row extends connections.ConnectionChoice>(connection: Row | undefined): Resolved<Row> {
  if (connection === undefined || connection.status === 'pending') return missing
  if (connection.status === 'active') return { kind: 'connection', connection }
  return { kind: 'missing', why: connection.status }
}
