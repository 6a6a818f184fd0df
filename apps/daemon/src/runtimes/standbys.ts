import type { RuntimeName } from '@svc/facts'
import { agentrtStandby } from './agentrt/standby.ts'
import { piStandby } from './pi/standby.ts'
import type { StandbyParts } from './runtime.ts'
import type { StandbyLaunch } from './standby/standby.ts'

/** A runtime whose process can be started before its session is known. */
export interface RuntimeStandby {
  /** True when a new session with this environment will want a process that was started without its secrets. */
  suits(env: NodeJS.ProcessEnv): boolean
  /** True when its process reads this variable when it starts, and not only when it has a session. */
  readsAtStart(variable: string): boolean
  prepare(parts: StandbyParts): Promise<Omit<StandbyLaunch, 'readsAtStart'>>
}

/**
 * The standbys of runtimes; one that is not here starts with its session. Apart from the registry: a sandbox loads
 * this first, and the runtimes themselves meanwhile.
 */
export const standbys: Readonly<Partial<Record<RuntimeName, RuntimeStandby>>> = {
  agentrt: agentrtStandby,
  pi: piStandby,
}
