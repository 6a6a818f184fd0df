import type { RuntimeName } from '@svc/facts'
import { agentrtStandby } from './agentrt/waiting-agentrt.ts'
import { piStandby } from './pi/waiting-pi.ts'
import type { WaitingParts } from './runtime.ts'
import type { WaitingLaunch } from './waiting.ts'

/** A runtime whose process can be started before its session is known. */
export interface RuntimeStandby {
  /** Whether a new session with this environment will want a process that was started without its secrets. */
  suits(env: NodeJS.ProcessEnv): boolean
  prepare(parts: WaitingParts): Promise<WaitingLaunch>
}

/**
 * Of every runtime, or null for one that starts with its session alone. A list apart from the registry: a sandbox loads
 * this first, and the runtimes themselves meanwhile.
 */
export const standbys: Readonly<Record<RuntimeName, RuntimeStandby | null>> = {
  agentrt: agentrtStandby,
  pi: piStandby,
}
