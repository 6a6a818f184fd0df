import { type Capability, capabilities, defaultAgentGrant } from '@svc/facts'
import { canonical, humanOnly } from './capabilities.ts'

/** The agent's `svc_cli` as it stands in the manifest. */
export type AgentGrant = readonly string[] | 'all' | 'none' | undefined

/** The agent's access to the repository: `branch` writes the session's own branch, the others write nothing. */
export type AgentWorkspace = 'runtime' | 'read' | 'branch'

const writing = new Set<Capability>([
  'project.gitops.push',
  'project.gitops.ref.any',
  'project.gitops.ref.delete',
])

/**
 * The capabilities of an agent at the most; the launching user's role narrows it further. Reading the repository is
 * always part of it: each session works in a checkout.
 */
export function agentCapabilities(grant: AgentGrant, workspace: AgentWorkspace = 'branch'): Capability[] {
  const held = new Set([...granted(grant), 'project.gitops.read' as const])
  return capabilities.filter(
    (name) => held.has(name) && (workspace === 'branch' || !writing.has(canonical(name))),
  )
}

function granted(grant: AgentGrant): readonly Capability[] {
  if (grant === 'none') return []
  if (grant === undefined) return defaultAgentGrant
  const named =
    grant === 'all' || grant.includes('*')
      ? capabilities
      : capabilities.filter((name) => grant.includes(name))
  const allowed = new Set(named.map(canonical).filter((name) => !humanOnly.has(name)))
  return capabilities.filter((name) => allowed.has(canonical(name)) && !humanOnly.has(name))
}

/** True when the grant names the merge itself; only then may a session merge its own change request. */
export function holdsExplicitMerge(grant: AgentGrant): boolean {
  if (grant === 'none' || grant === 'all' || grant === undefined) return false
  return grant.includes('project.gitops.merge') || grant.includes('project.cr.merge')
}
