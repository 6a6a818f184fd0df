import { defaultRuntime, runtimeNames } from '@svc/facts'
import type { Log } from '../log.ts'
import { placesOf } from '../places.ts'
import { standbys } from '../runtimes/standbys.ts'
import type { StandbyRuntime } from '../runtimes/standby/standby.ts'
import { startStandby } from './start-standby.ts'

const alsoAtStart = /^(LANG|LC_.*|TZ)$/

/**
 * The agent runtime of a new session, which loads while the daemon itself does and is told the session as one of the
 * pool is; null where it is not known yet which one it will be. A sandbox loads this file, and its imports, first.
 */
export async function startEarlyRuntime(env: NodeJS.ProcessEnv, log: Log): Promise<StandbyRuntime | null> {
  const { owner, workspace, home, runtime } = placesOf(env)
  const isForAgent = env['SVC_SESSION_IS_NEW'] === '1' && env['SVC_MONITORS'] !== '1'
  if (!isForAgent || owner === null || env['SVC_WARM_KEY'] !== undefined) return null
  const wanted = env['SVC_RUNTIME'] ?? defaultRuntime
  const name = runtimeNames.find((known) => known === wanted)
  const standby = name === undefined ? undefined : standbys[name]
  if (!standby?.suits(env)) return null
  const atStart = Object.entries(env).flatMap(([variable, value]) =>
    value !== undefined && (standby.readsAtStart(variable) || alsoAtStart.test(variable))
      ? [[variable, value] as const]
      : [],
  )
  const parts = { owner, workspace, home, ...runtime, env: Object.fromEntries(atStart), prewarms: false }
  return startStandby(standby, parts, log)
}
