import type { Rules } from '@svc/connector'
import type { ConnectorRow } from '@svc/db'
import type { Connector } from '@svc/manifest'

/** The manifest's connector behind a row. The look at the default branch wrote it from this very type, and nothing else writes it. */
export function connectorOf(row: Pick<ConnectorRow, 'definition'>): Connector {
  return row.definition as unknown as Connector
}

/** Its rules, as the gate reads them. */
export function rulesOf(row: Pick<ConnectorRow, 'definition'>): Rules {
  const { slug, policies, default_action } = connectorOf(row)
  return { slug, policies, default_action }
}

/**
 * Whether it works only with something that proves who asks. An MCP server without `auth` may be open to all, which
 * its service alone knows: `status` is what it said. One that each person connects for themselves is not.
 */
export function needsConnection(connector: Connector, status: ConnectorRow['status'] | null = null): boolean {
  const { provider, auth, authorization_strategy } = connector
  if (auth === null && provider === 'mcp')
    return status === 'needs_connection' || authorization_strategy === 'user'
  if (isAggregator(provider)) return true
  if (provider === 'computer') return true
  return auth !== null && auth.type !== 'none'
}

/** Whether a person may connect it by signing in at its service, in place of storing a token. */
export function takesSignIn({ provider, auth }: Connector): boolean {
  if (provider === 'mcp') return auth === null || auth.type === 'bearer'
  return isAggregator(provider)
}

/** Whether a hosted service holds the accounts of a connector and calls them. */
export const isAggregator = (provider: Connector['provider']): boolean =>
  provider === 'aggregator_a' || provider === 'aggregator_b'

/** The address in the manifest, for people; null where the platform sends to none. */
export function addressOf(connector: Connector): string | null {
  switch (connector.provider) {
    case 'mcp':
      return connector.url
    case 'graphql':
      return connector.endpoint
    case 'http':
    case 'openapi':
    case 'collection':
      return connector.base_url
    case 'aggregator_a':
    case 'aggregator_b':
    case 'channel':
    case 'computer':
      return null
  }
}
