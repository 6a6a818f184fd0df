import { ServiceError } from '@svc/errors'
import {
  grantedAgent,
  type ConnectorBindings,
  type Manifest,
  type SessionConnector,
  sessionConnectors,
} from '@svc/manifest'

/**
 * The connectors that a session of this agent gets. Refuses a binding of one that the agent may not use, and a session
 * that one of the required ones would not work in.
 */
export function resolveConnectors(
  manifest: Manifest | null,
  agent_name: string,
  bindings: ConnectorBindings = {},
): readonly SessionConnector[] {
  const agent = (manifest && grantedAgent(manifest, agent_name)) ?? noConnectors
  const { connectors, refused, unresolved } = sessionConnectors(manifest ?? noConnectors, agent, bindings)
  if (refused.length > 0) {
    const usable = connectors.map(({ slug }) => slug).join(', ') || 'none'
    const message = `is no connector that the agent ${agent_name} may use; it may use ${usable}`
    throw new ServiceError(
      'INVALID_SESSION_CONNECTOR_BINDINGS',
      `connector_bindings: ${refused.map((slug) => JSON.stringify(slug)).join(', ')} ${message}`,
      { issues: refused.map((slug) => ({ path: `connector_bindings.${slug}`, message })) },
    )
  }
  if (unresolved.length > 0) {
    throw new ServiceError(
      'connector_not_connected',
      `The agent ${agent_name} needs ${unresolved.join(', ')}: declare it in svc.yaml, and where it needs an account name a connection in connector_bindings`,
      { connectors: unresolved },
    )
  }
  return connectors
}

/** Refuses a session whose agent needs a connector that the session which starts it may not use. */
export function requireConnectors(
  manifest: Manifest | null,
  agent_name: string,
  connectors: readonly SessionConnector[],
): void {
  const { connectors_required } = (manifest && grantedAgent(manifest, agent_name)) ?? noConnectors
  const lost = connectors_required.filter((slug) => !connectors.some((one) => one.slug === slug))
  if (lost.length === 0) return
  throw new ServiceError(
    'connector_not_connected',
    `The agent ${agent_name} needs ${lost.join(', ')}, which the agent that starts it may not use: list it under connectors of that agent in svc.yaml`,
    { connectors: lost },
  )
}

const noConnectors = { connectors: [], connectors_required: [] } as const
