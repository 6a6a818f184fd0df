import type { RuntimeName } from '@svc/facts'
import { createAcp } from './acp/acp.ts'
import { createAgentrt } from './agentrt/agentrt.ts'
import { createPi } from './pi/pi.ts'
import type { AgentRuntime, CreateRuntime, RuntimeParts } from './runtime.ts'

/** Every runtime that a session may have. `standbys.ts` is the list of those that are started before their session. */
export const runtimes: Readonly<Record<RuntimeName, CreateRuntime>> = {
  agentrt: createAgentrt,
  pi: createPi,
  acp: createAcp,
}

/** Runtimes by name, for a daemon that has others. */
export type RuntimeRegistry = Readonly<Record<string, CreateRuntime>>

/** The runtime that the platform names. A checkout does not choose one: it holds what was not merged yet. */
export function createRuntime(registry: RuntimeRegistry, name: string, parts: RuntimeParts): AgentRuntime {
  const create = registry[name]
  if (create !== undefined) return create(parts)
  const known = Object.keys(registry).join(', ')
  throw new Error(
    `This sandbox has no agent runtime "${name}"; it has ${known}. The platform is newer than it.`,
  )
}
