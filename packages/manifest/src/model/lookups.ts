import type { Allowlist } from '../schema/words.ts'
import type { Agent } from './agent.ts'
import type { Connector } from './connector.ts'
import type { Manifest } from './manifest.ts'
import type { ManifestTemplate } from './sandbox.ts'

/** The manifest's connectors that the agent may use; one that it requires needs no second mention. */
export function usableConnectors(
  manifest: Pick<Manifest, 'connectors'>,
  { connectors, connectors_required }: Pick<Agent, 'connectors' | 'connectors_required'>,
): readonly Connector[] {
  return manifest.connectors.filter(
    ({ slug }) => isAllowed(connectors, slug) || connectors_required.includes(slug),
  )
}

export function isAllowed(allowed: Allowlist, name: string): boolean {
  return allowed === 'all' || (allowed !== 'none' && allowed.includes(name))
}

/**
 * The template that an agent's sandboxes are made from; null is the built-in sandbox. An agent that names none has
 * the project's default; one that names `default` has the built-in sandbox whatever the project's default is.
 */
export function sandboxTemplate(
  manifest: Pick<Manifest, 'sandbox'>,
  agent: Pick<Agent, 'sandbox'> | null,
): ManifestTemplate | null {
  const slug = agent?.sandbox ?? manifest.sandbox.default
  return manifest.sandbox.templates.find((template) => template.slug === slug) ?? null
}

/** Names that the manifest requires and no secret has, in the manifest's order. */
export function missingSecrets(
  manifest: Pick<Manifest, 'env'> | null,
  secret_names: Iterable<string>,
): readonly string[] {
  const known = new Set(secret_names)
  return [...new Set(manifest?.env.required ?? [])].filter((name) => !known.has(name))
}
