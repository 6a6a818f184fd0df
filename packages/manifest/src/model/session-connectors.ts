import type { Agent } from './agent.ts'
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
  /** Required slugs that the manifest does not declare. Whether the others are connected is not the manifest’s to say. */
  readonly undeclared: readonly string[]
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
    undeclared: agent.connectors_required.filter((slug) => !usable.has(slug)),
  }
}
