import type { Agent } from './agent.ts'
import type { Connector } from './connector.ts'
import { usableConnectors } from './lookups.ts'
import type { Manifest } from './manifest.ts'

export type ConnectorBindings = Readonly<Record<string, { readonly connection_id: string }>>

export interface SessionConnector {
  readonly slug: string
  /** The connection that the session's creator chose; null leaves the connector to the project's own. */
  readonly connection_id: string | null
}

export interface ConnectorSelection {
  readonly connectors: readonly SessionConnector[]
  /** Slugs of bindings that the agent has no connector for: a binding chooses a connection, it grants nothing. */
  readonly refused: readonly string[]
  /** Required slugs that would not work in this session. */
  readonly unresolved: readonly string[]
}

/** The manifest's connectors that a session gets: those that its agent may use, in the manifest’s order. */
export function sessionConnectors(
  manifest: Pick<Manifest, 'connectors'>,
  agent: Pick<Agent, 'connectors' | 'connectors_required'>,
  bindings: ConnectorBindings = {},
): ConnectorSelection {
  const usable = new Map(usableConnectors(manifest, agent).map((one) => [one.slug, one]))
  const isBound = (slug: string) => Object.hasOwn(bindings, slug)
  return {
    connectors: [...usable.keys()].map((slug) => ({
      slug,
      connection_id: isBound(slug) ? (bindings[slug]?.connection_id ?? null) : null,
    })),
    refused: Object.keys(bindings).filter((slug) => !usable.has(slug)),
    unresolved: agent.connectors_required.filter((slug) => {
      const connector = usable.get(slug)
      return connector === undefined || (needsConnection(connector) && !isBound(slug))
    }),
  }
}

/** True when it works with a person's account, and not with its address alone. */
function needsConnection({ provider, auth }: Connector): boolean {
  switch (provider) {
    case 'aggregator_a':
    case 'aggregator_b':
    case 'channel':
    case 'computer':
      return true
    case 'mcp':
    case 'openapi':
    case 'collection':
    case 'graphql':
    case 'http':
      return auth !== null && auth.type !== 'none'
  }
}
