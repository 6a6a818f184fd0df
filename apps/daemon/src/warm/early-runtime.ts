import type { Log } from '../log.ts'
import { placesOf } from '../places.ts'
import { needsCatalogue } from '../runtimes/agentrt/fixed-environment.ts'
import { readAtStart, type WaitingRuntime } from '../runtimes/waiting.ts'
import { startWaitingRuntime } from './waiting-runtime.ts'

const alsoAtStart = /^(LANG|LC_.*|TZ)$/

/**
 * The agent runtime of a new session, which loads while the daemon itself does and is told the session as one of the
 * pool is; null where nobody knows yet which one it will be. This file and what it imports are what a sandbox loads first.
 */
export async function startEarlyRuntime(env: NodeJS.ProcessEnv, log: Log): Promise<WaitingRuntime | null> {
  const { owner, workspace, home, runtime } = placesOf(env)
  const isForAgent = env['SVC_SESSION_IS_NEW'] === '1' && env['SVC_MONITORS'] !== '1'
  if (!isForAgent || owner === null || env['SVC_WARM_KEY'] !== undefined) return null
  const name = env['SVC_RUNTIME'] === 'pi' ? 'pi' : 'agentrt'
  const secrets = (env['SVC_PROJECT_SECRET_NAMES'] ?? '').split(',')
  if (name === 'agentrt' && needsCatalogue(Boolean(env['SVC_LLM_BASE_URL']), secrets)) return null
  const atStart = Object.entries(env).flatMap(([variable, value]) =>
    value !== undefined && (readAtStart.test(variable) || alsoAtStart.test(variable))
      ? [[variable, value] as const]
      : [],
  )
  const parts = { owner, workspace, home, ...runtime, env: Object.fromEntries(atStart), rehearses: false }
  return startWaitingRuntime(name, parts, log)
}
