import type { RuntimeName } from '@svc/facts'
import { createAgentrt } from './agentrt/agentrt.ts'
import { createPi } from './pi/pi.ts'
import type { CreateRuntime } from './runtime.ts'

/** Every runtime that a session of this daemon may have. What is started before its session stands in `standbys.ts`. */
export const runtimes = {
  agentrt: createAgentrt,
  pi: createPi,
} as const satisfies Record<RuntimeName, CreateRuntime>

/** Runtimes by name: those of the registry, or what a test puts in their place. */
export type RuntimeRegistry = Readonly<Record<string, CreateRuntime>>
