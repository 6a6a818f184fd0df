import { randomBytes } from 'node:crypto'
import type { Log } from '../log.ts'
import type { RuntimeName } from '../manifest/runtime-settings.ts'
import { waitingAgentrt } from '../runtimes/agentrt/waiting-agentrt.ts'
import { waitingPi } from '../runtimes/pi/waiting-pi.ts'
import type { WaitingParts } from '../runtimes/runtime.ts'
import { startWaiting, type WaitingRuntime } from '../runtimes/waiting.ts'

/** The runtime that most sessions have, started before there is one; null when it cannot be, and starts later. */
export async function startWaitingRuntime(
  name: RuntimeName,
  parts: Omit<WaitingParts, 'secret'> & { readonly owner: string },
  log: Log,
): Promise<WaitingRuntime | null> {
  const secret = randomBytes(24).toString('base64url')
  log.hide(secret)
  try {
    const prepare = name === 'pi' ? waitingPi : waitingAgentrt
    return await startWaiting(parts.owner, await prepare({ ...parts, secret }), secret, log)
  } catch (error) {
    log.warn('no agent runtime waits', { error })
    return null
  }
}
