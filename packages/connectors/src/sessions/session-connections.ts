import type { BoundConnector, ConnectorsVerdict, SessionConnections, SessionOfConnectors } from '@svc/context'
import { connections, type ConnectorRow, connectors } from '@svc/db'
import type { Connector } from '@svc/manifest'
import { isOwnersOwn } from '@svc/session'
import { askingAlone, pickConnection, type Resolved } from '../connections/resolve.ts'
import { connectorOf } from '../connectors/definition.ts'

/** The word of connections on a session: which choices are none, and what it needs and would not have. */
export const sessionConnections: SessionConnections = {
  async judge(db, asked) {
    const { project_id, owner, required } = asked
    if (required.length === 0 && asked.connectors.every(({ connection_id }) => connection_id === null))
      return { refused: [], unconnected: [] }
    const [rows, known] = await Promise.all([
      connectors.list(db, project_id),
      connections.listChoices(db, { project_id, user_id: owner }),
    ])
    return verdict(asked, new Map(rows.map((row) => [row.slug, row])), known)
  },

  async personal(db, session) {
    const { project_id, created_by, origin, requested } = session
    const given = new Set(requested.connectors?.map(({ slug }) => slug))
    if (given.size === 0 || !isOwnersOwn(origin)) return []
    const rows = await connectors.list(db, project_id)
    const known = await connections.listChoices(db, { project_id, user_id: created_by })
    return rows.flatMap((row) => {
      if (!given.has(row.slug)) return []
      const found = pickConnection(connectorOf(row), askingAlone(session, row.slug), known, row.status)
      return isPersonal(found) ? [row.slug] : []
    })
  },
}

function verdict(
  { connectors, required, declared, owner, in_person }: SessionOfConnectors,
  rows: ReadonlyMap<string, ConnectorRow>,
  known: readonly connections.ConnectionChoice[],
): ConnectorsVerdict {
  const definition = (slug: string): Connector | undefined => {
    const row = rows.get(slug)
    return declared?.find((one) => one.slug === slug) ?? (row === undefined ? undefined : connectorOf(row))
  }
  const refused = connectors.flatMap((one) => {
    const message = badChoice(one, known)
    return message === null ? [] : [{ slug: one.slug, message }]
  })
  const unconnected = required.flatMap((slug) => {
    const chosen = connectors.find((one) => one.slug === slug)
    if (refused.some((one) => one.slug === slug)) return []
    const connector = definition(slug)
    if (chosen === undefined || connector === undefined) return [{ slug, message: 'is not declared' }]
    const row = rows.get(slug)
    if (row?.status === 'error') return [{ slug, message: `cannot be used: ${row.error}` }]
    const asking = { bound: chosen.connection_id, owner, in_person }
    const found = pickConnection(connector, asking, known, row?.status ?? null)
    return found.kind === 'missing' ? [{ slug, message: whyMissing(connector, found.why, owner, known) }] : []
  })
  return { refused, unconnected }
}

const isPersonal = (found: Resolved<connections.ConnectionChoice>): boolean =>
  found.kind === 'connection' && found.connection.user_id !== null

/** The reason why a chosen connection is none for the session; null when it is one, or nothing was chosen. */
export function badChoice(
  { slug, connection_id }: BoundConnector,
  known: readonly connections.ConnectionChoice[],
): string | null {
  if (connection_id === null) return null
  const row = known.find((one) => one.connection_id === connection_id)
  if (row === undefined)
    return 'is no connection that this session may use: take one of the project, or one of your own that you launch it with'
  if (row.slug !== slug) return `is a connection of ${row.slug}, not of ${slug}`
  return row.status === 'active' ? null : `is ${row.status}; connect it again, or choose another one`
}

function whyMissing(
  { slug, authorization_strategy }: Connector,
  why: 'none' | 'expired' | 'revoked',
  owner: string | null,
  known: readonly connections.ConnectionChoice[],
): string {
  if (why !== 'none') return `has a connection that is ${why}`
  const own = authorization_strategy === 'user'
  if (own && owner === null)
    return 'works with each person’s own connection, and only in a private session that the person starts'
  const whose = known.filter(
    (one) => one.slug === slug && one.status === 'active' && (one.user_id !== null) === own,
  )
  if (whose.length > 0) return 'has no default among its connections: choose one, or make one the default'
  return own ? 'has no connection of yours' : 'has no connection'
}
