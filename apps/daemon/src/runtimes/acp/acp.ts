import { HarnessLaunch, harnessVariable, placedIn } from '@svc/harness'
import { deferred } from '../../shared/deferred.ts'
import { whenAborted } from '../../shared/when-aborted.ts'
import type { AgentRuntime, RuntimeParts } from '../runtime.ts'
import { createRuntimeBase } from '../runtime-base.ts'

/** Agents that speak the Agent Client Protocol, as the platform names them in `SVC_HARNESS`. They have no server. */
export function createAcp(parts: RuntimeParts): AgentRuntime {
  const base = createRuntimeBase(parts)
  const whole = deferred<void>()
  let epoch: number | null = null

  return {
    name: 'acp',
    begins_early: false,
    arrived: async () => whole.resolve(),
    settle: async () => (await base.compare()).stale,
    start: async (start) => {
      // Sessions of other runtimes load none of this.
      const loading = import('./start-agent.ts')
      // Its instructions, and often its program, come with the repository.
      await Promise.race([whole.promise, whenAborted(start.signal)])
      const [{ startAgent }, settings] = await Promise.all([loading, base.begin(start.env)])
      const launch = launchIn(start.env)
      const running = await startAgent(parts, {
        ...{ start, launch, epoch },
        env: base.environment(start.env, settings),
        config_dir: base.folder(settings),
      })
      epoch = running.epoch
      return running
    },
  }
}

function launchIn(env: Readonly<Record<string, string>>): HarnessLaunch {
  try {
    return placedIn(HarnessLaunch.parse(JSON.parse(env[harnessVariable] ?? '')), env['SVC_HARNESSES_DIR'])
  } catch (cause) {
    throw new Error(
      'The platform named no harness that this sandbox can read; is it newer than the sandbox?',
      {
        cause,
      },
    )
  }
}
