import { Document } from 'yaml'
import type { Issue } from '../issue.ts'
import { hasErrors, placeFindings } from '../issue.ts'
import { isMapping, listAt, mappingAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { readManifest } from '../read-manifest.ts'
import { triggerAliases } from '../rules/triggers.ts'
import { agentShape } from '../schema/agent.ts'
import { readToml } from '../source/read-toml.ts'
import { legacyLayout } from './layout.ts'

export interface Migration {
  /** the new svc.yaml; null when svc.toml cannot be read */
  readonly text: string | null
  /** of svc.toml when it cannot be read, otherwise of the new svc.yaml: the choices left to a person */
  readonly issues: readonly Issue[]
}

/**
 * svc.toml, version 1, as svc.yaml, version 2, granting each agent its earlier rights: version 1's silence meant `all`.
 * Behaviour in agent tables and removed tables are left out. TOML comments are not carried over.
 */
export function migrate(toml: string): Migration {
  const source = readToml(toml)
  if (!isMapping(source.data) || hasErrors(source.findings)) {
    return { text: null, issues: placeFindings(source.findings, source.locate) }
  }
  const old = legacyLayout(source.data)
  const {
    svc_version: _version,
    default_agent,
    agents: _agents,
    opencode: _table,
    sandboxes: _sandboxes,
    channels: _channels,
    sandbox,
    ...rest
  } = old
  const name = typeof default_agent === 'string' ? default_agent : 'default'
  const manifest = {
    svc_version: 2,
    default_agent: name,
    agents: migratedAgents(old, name),
    ...rest,
    ...(isMapping(sandbox) && Array.isArray(sandbox['templates']) && { sandbox: templatesOf(sandbox) }),
    ...(Array.isArray(old['triggers']) && { triggers: old['triggers'].map(withoutAliases) }),
  }
  const text = new Document(manifest, { aliasDuplicateObjects: false }).toString({ lineWidth: 0 })
  return { text, issues: readManifest({ path: 'svc.yaml', text }).issues }
}

const granted = { connectors: 'all', secrets: 'all', skills: 'all' }

function migratedAgents(old: Mapping, defaultAgent: string): Mapping {
  const written = Object.entries(mappingAt(old, 'agents'))
  const named = listAt(old, 'triggers').flatMap((trigger) => {
    const name = isMapping(trigger) ? (trigger['agent'] ?? trigger['agent_name']) : undefined
    return typeof name === 'string' ? [name] : []
  })
  const agents = new Map<string, Mapping>([defaultAgent, ...named].map((name) => [name, granted]))
  for (const [name, agent] of written) {
    const known = Object.entries(isMapping(agent) ? agent : {}).filter(([key]) => key in agentShape.shape)
    agents.set(name, { ...granted, ...Object.fromEntries(known) })
  }
  return Object.fromEntries(agents)
}

function templatesOf(sandbox: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(sandbox).filter(([key]) => key === 'default' || key === 'templates'),
  )
}

function withoutAliases(trigger: unknown): unknown {
  if (!isMapping(trigger)) return trigger
  const names = new Map(Object.entries(triggerAliases).map(([name, alias]) => [String(alias), name]))
  return Object.fromEntries(
    Object.entries(trigger)
      .filter(([key]) => !Object.hasOwn(trigger, names.get(key) ?? ''))
      .map(([key, value]) => [names.get(key) ?? key, value]),
  )
}
