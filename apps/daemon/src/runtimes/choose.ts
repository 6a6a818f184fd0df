import { readRuntimeSettings, type RuntimeName } from '../manifest/runtime-settings.ts'
import { createAgentrt } from './agentrt/agentrt.ts'
import { createPi } from './pi/pi.ts'
import type { AgentRuntime, RuntimeParts } from './runtime.ts'

/**
 * The runtime that the manifest names. It starts while the repository is still on its way, so that the choice is looked
 * at again once the manifest is there; the first start goes by what the platform expects.
 */
export function chooseRuntime(
  parts: RuntimeParts & { readonly expected: RuntimeName | undefined },
): AgentRuntime {
  const { workspace } = parts
  let expected = parts.expected ?? 'agentrt'
  const runtimes: Readonly<Record<RuntimeName, AgentRuntime>> = {
    agentrt: createAgentrt(parts),
    pi: createPi(parts),
  }
  let current = runtimes[expected]

  async function wanted(): Promise<AgentRuntime> {
    const { runtime } = await readRuntimeSettings(workspace)
    return runtimes[runtime ?? expected]
  }

  return {
    get name() {
      return current.name
    },
    launch: async (env) => {
      current = await wanted()
      return current.launch(env)
    },
    get begins_early() {
      return current.begins_early
    },
    arrived: async () => void (await Promise.all(Object.values(runtimes).map((one) => one.arrived()))),
    settle: async () => {
      // The repository is there: no manifest means the usual one from now on.
      expected = 'agentrt'
      const settled = await wanted()
      return settled === current ? current.settle() : true
    },
  }
}
