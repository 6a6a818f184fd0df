import { digestOf } from '@svc/connector/frozen'
import type { connectors } from '@svc/db'
import { canonicalJson } from '@svc/facts'
import type { Connector, Manifest } from '@svc/manifest'

/** The connectors of a manifest as their rows begin: each with a digest that changes with any of its keys. */
export function declaredConnectors(
  manifest: Pick<Manifest, 'connectors'> | null,
): readonly connectors.DeclaredConnector[] {
  return (manifest?.connectors ?? []).map((connector, position) => ({
    slug: connector.slug,
    position,
    definition: asJson(connector),
    definition_digest: digestOf(canonicalJson(connector)),
    provider: connector.provider,
  }))
}

const asJson = (connector: Connector) => connector as unknown as Readonly<Record<string, unknown>>
