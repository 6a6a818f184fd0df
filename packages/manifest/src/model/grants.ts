import type { Agent } from './agent.ts'
import { toAgent } from './agent.ts'
import type { Manifest } from './manifest.ts'

/** The paths of the declared agents' own files. */
export function agentFilePaths(manifest: Pick<Manifest, 'agentrt' | 'agents'>): readonly string[] {
  return manifest.agents.map((agent) => agentFilePath(manifest, agent.name))
}

export function agentFilePath(manifest: Pick<Manifest, 'agentrt'>, name: string): string {
  return `${manifest.agentrt.config_dir}/agents/${name}.md`
}

/**
 * The grants of the named agent, or of the default one; null when there is no such agent or it is disabled. Version 1
 * did not have to declare its agents.
 */
export function grantedAgent(manifest: Manifest, agent_name?: string | null): Agent | null {
  const name = agent_name ?? manifest.default_agent
  if (name === null) return null
  const agent = manifest.agents.find((one) => one.name === name)
  if (agent) return agent.enabled ? agent : null
  return manifest.svc_version === 1 && manifest.agents.length === 0 ? toAgent(name, {}, 1) : null
}
