import { agentCapabilities, holdsExplicitMerge } from '@svc/access'
import type { Capability } from '@svc/facts'
import { ServiceError } from '@svc/errors'
import { grantedAgent, type Issue, type Manifest } from '@svc/manifest'

export interface ResolvedAgent {
  readonly agent_name: string
  readonly grant: readonly Capability[]
  readonly merge_granted: boolean
  /** Names of the secrets that the agent may have. */
  readonly secrets: 'all' | readonly string[]
  /** Names of the skills that its runtime offers it. */
  readonly skills: 'all' | readonly string[]
}

/** The agent that a new session runs, and what it may do. A repository without a manifest has one agent, `default`. */
export function resolveAgent(
  manifest: Manifest | null,
  wanted: string | undefined,
  issues: readonly Issue[] = [],
): ResolvedAgent {
  const agent_name = wanted ?? manifest?.default_agent ?? 'default'
  if (manifest === null) {
    const grant = agentCapabilities(undefined)
    return { agent_name, grant, merge_granted: false, secrets: 'all', skills: 'all' }
  }
  const agent = grantedAgent(manifest, agent_name)
  if (agent === null) throw unknownAgent(manifest, agent_name, issues)
  return {
    agent_name,
    grant: agentCapabilities(agent.svc_cli, agent.workspace),
    merge_granted: holdsExplicitMerge(agent.svc_cli),
    secrets: agent.secrets === 'none' ? [] : agent.secrets,
    skills: agent.skills === 'none' ? [] : agent.skills,
  }
}

function unknownAgent(manifest: Manifest, agent_name: string, issues: readonly Issue[]): ServiceError {
  const place = `agents.${agent_name}`
  const wrong = issues.find(
    ({ path, severity }) => severity === 'error' && (path === place || path.startsWith(`${place}.`)),
  )
  if (wrong !== undefined) {
    const message = `svc.yaml says of the agent ${agent_name} what is not valid: ${wrong.path}: ${wrong.message}`
    return new ServiceError('invalid_request', message, { issues: [{ path: 'agent_name', message }] })
  }
  const usable = manifest.agents.filter((agent) => agent.enabled).map((agent) => agent.name)
  const known = usable.length === 0 ? 'no agent that is enabled' : usable.join(', ')
  return new ServiceError(
    'invalid_request',
    `svc.yaml declares no enabled agent ${JSON.stringify(agent_name)}; it declares ${known}`,
    {
      issues: [{ path: 'agent_name', message: `must be one of: ${known}` }],
    },
  )
}
