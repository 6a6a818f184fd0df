import { randomBytes } from 'node:crypto'
import type { Log } from '../log.ts'
import type { StandbyParts } from '../runtimes/runtime.ts'
import type { RuntimeStandby } from '../runtimes/standbys.ts'
import { spawnStandby, type StandbyRuntime } from '../runtimes/standby/standby.ts'

/** Starts a runtime before its session; null when it cannot be, and starts later. */
export async function startStandby(
  standby: RuntimeStandby,
  parts: Omit<StandbyParts, 'secret'> & {
    readonly owner: string
    /** True when there is time for a first turn before the session's own. */
    readonly prewarms: boolean
  },
  log: Log,
): Promise<StandbyRuntime | null> {
  const secret = randomBytes(24).toString('base64url')
  log.hide(secret)
  try {
    const { readsAtStart } = standby
    const launch = { ...(await standby.prepare({ ...parts, secret })), readsAtStart }
    const run: Parameters<typeof spawnStandby>[4] = async (setEnvironment, signal) => {
      // A sandbox that does not wait loads nothing for it.
      const { prewarm } = await import('./prewarm.ts')
      await prewarm(launch, parts, setEnvironment, signal)
    }
    return await spawnStandby(parts.owner, launch, secret, log, parts.prewarms ? run : null)
  } catch (error) {
    log.warn('no standby runtime was started', { error })
    return null
  }
}
