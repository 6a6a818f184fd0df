import type { RuntimeName } from '../manifest/runtime-settings.ts'
import { createAgentrt } from './agentrt/agentrt.ts'
import { createPi } from './pi/pi.ts'
import type { AgentRuntime, RuntimeParts } from './runtime.ts'

/** The runtime that the platform names. A checkout does not choose one: it holds what nobody merged. */
export function chooseRuntime(name: RuntimeName, parts: RuntimeParts): AgentRuntime {
  return name === 'pi' ? createPi(parts) : createAgentrt(parts)
}
