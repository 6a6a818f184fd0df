import type { ConnectionRow, ConnectorRow } from '@svc/db'
import type { Connector, ConnectorPolicy } from '@svc/manifest'
import { credentialFields } from '@svc/upstream/auth'
import { UpstreamRefusal } from '@svc/upstream/shapes'
import type { Settings } from '@svc/context'
import { scopeOf } from '../connections/place.ts'
import { addressOf, connectorOf, takesSignIn } from './definition.ts'
import { connectUrl } from './urls.ts'

export interface ConnectorFacts {
  readonly actions: number
  /** The connection that a session of the caller would use. */
  readonly connection: ConnectionRow | null
}

function presentPolicy({ when, ...policy }: ConnectorPolicy) {
  return {
    ...policy,
    when: when.map((clause) => ('in' in clause ? { ...clause, in: [...clause.in] } : clause)),
  }
}

/** None where the manifest is wrong about it: the connector says that in its error. */
function fieldsOf({ auth }: Connector): { name: string; required: boolean }[] {
  try {
    return credentialFields(auth).map(({ name, required }) => ({ name, required }))
  } catch (error) {
    if (error instanceof UpstreamRefusal) return []
    throw error
  }
}

export function presentConnector(
  settings: Pick<Settings, 'api_url'>,
  row: ConnectorRow,
  { actions, connection }: ConnectorFacts,
) {
  const connector = connectorOf(row)
  const { slug, provider, status, error, synced_at, project_id, catalogue_digest } = row
  const { name, authorization_strategy, policies, default_action } = connector
  return {
    ...{ slug, name, provider, status, error, authorization_strategy, default_action, actions },
    policies: policies.map(presentPolicy),
    auth_type: connector.auth?.type ?? null,
    credential_fields: fieldsOf(connector),
    address: addressOf(connector),
    connection:
      connection === null
        ? null
        : {
            connection_id: connection.connection_id,
            label: connection.label,
            scope: scopeOf(connection),
          },
    catalogue_digest,
    synced_at: synced_at?.toISOString() ?? null,
    takes_sign_in: takesSignIn(connector),
    connect_url: connectUrl(settings, { project_id, slug }),
  }
}
