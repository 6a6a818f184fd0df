import { randomBytes } from 'node:crypto'
import type { Log } from '../log.ts'
import type { WaitingParts } from '../runtimes/runtime.ts'
import type { RuntimeStandby } from '../runtimes/standbys.ts'
import { startWaiting, type WaitingRuntime } from '../runtimes/waiting.ts'

/** The runtime that most sessions have, started before there is one; null when it cannot be, and starts later. */
export async function startWaitingRuntime(
  standby: RuntimeStandby,
  parts: Omit<WaitingParts, 'secret'> & {
    readonly owner: string
    /** Whether there is time for a first turn before the session's own. */
    readonly rehearses: boolean
  },
  log: Log,
): Promise<WaitingRuntime | null> {
  const secret = randomBytes(24).toString('base64url')
  log.hide(secret)
  try {
    const launch = await standby.prepare({ ...parts, secret })
    const play: Parameters<typeof startWaiting>[4] = async (lend, signal) => {
      // A sandbox that does not wait loads nothing for it.
      const { rehearse } = await import('./rehearse.ts')
      await rehearse(launch, parts, lend, signal)
    }
    return await startWaiting(parts.owner, launch, secret, log, parts.rehearses ? play : null)
  } catch (error) {
    log.warn('no agent runtime waits', { error })
    return null
  }
}
