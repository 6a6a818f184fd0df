import { canonical, type Capability, capabilities, defaultAgentGrant, humanOnly } from './capabilities.ts'

/** The agent's `svc_cli` as it stands in the manifest. */
export type AgentGrant = readonly string[] | 'all' | 'none' | undefined

/** What an agent may do at the most; the launching user's role narrows it further. */
export function agentCapabilities(grant: AgentGrant): Capability[] {
  if (grant === 'none') return []
  if (grant === undefined) return [...defaultAgentGrant]
  const named =
    grant === 'all' || grant.includes('*')
      ? capabilities
      : capabilities.filter((name) => grant.includes(name))
  const allowed = new Set(named.map(canonical).filter((name) => !humanOnly.has(name)))
  return capabilities.filter((name) => allowed.has(canonical(name)) && !humanOnly.has(name))
}

/** Whether the grant names the merge itself; only then may a session merge its own change request. */
export function holdsExplicitMerge(grant: AgentGrant): boolean {
  if (grant === 'none' || grant === 'all' || grant === undefined) return false
  return grant.includes('project.gitops.merge') || grant.includes('project.cr.merge')
}
