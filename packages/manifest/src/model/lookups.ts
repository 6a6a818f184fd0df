import { manifestCapabilities } from '../capabilities.ts'
import type { ManifestCapability } from '../capabilities.ts'
import type { Allowlist } from '../schema/words.ts'
import type { Agent } from './agent.ts'
import type { Connector } from './connector.ts'
import { agentGrant } from './grants.ts'
import type { Manifest } from './manifest.ts'
import type { SandboxTemplate } from './sandbox.ts'
import type { Trigger } from './trigger.ts'

/** The agent that a trigger's sessions run; null when it is not declared or disabled, and the trigger cannot fire. */
export function triggerAgent(manifest: Manifest, trigger: Pick<Trigger, 'agent'>): Agent | null {
  return agentGrant(manifest, trigger.agent)
}

/** What an agent may use, written out: `none` and silence are empty lists, `all` is every name that can be known. */
export interface EffectiveGrants {
  /** slugs of connectors that the manifest declares */
  readonly connectors: readonly string[]
  /** connectors that must resolve before a session starts */
  readonly connectors_required: readonly string[]
  /** the manifest does not know every secret and skill, so `all` stays the word */
  readonly secrets: 'all' | readonly string[]
  readonly skills: 'all' | readonly string[]
  readonly capabilities: readonly Exclude<ManifestCapability, '*'>[]
}

/** The grants of the named agent, or of the default one; null when there is no such agent or it is disabled. */
export function effectiveGrants(manifest: Manifest, agent_name?: string | null): EffectiveGrants | null {
  const agent = agentGrant(manifest, agent_name)
  if (agent === null) return null
  const { svc_cli } = agent
  const everything = svc_cli === 'all' || svc_cli.includes('*')
  return {
    connectors: usableConnectors(manifest, agent).map(({ slug }) => slug),
    connectors_required: agent.connectors_required,
    secrets: agent.secrets === 'none' ? [] : agent.secrets,
    skills: agent.skills === 'none' ? [] : agent.skills,
    capabilities: manifestCapabilities.filter(
      (one): one is Exclude<typeof one, '*'> =>
        one !== '*' && (everything || (svc_cli !== 'none' && svc_cli.includes(one))),
    ),
  }
}

/** What the agent may use of the manifest's connectors; one that it requires needs no second mention. */
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
): SandboxTemplate | null {
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
