import type { Address } from './fetch-boot.ts'
import { holdReady } from './hold-ready.ts'

/** Callers that may arrive at once without waiting for a new connection to be made. */
const readyConnections = 8
const retryMs = 200

/** Holds connections ready, over which the platform calls the daemon, until the signal. */
export function openInward(relay: string, daemon: Address, until?: AbortSignal): void {
  const wanted = () => until?.aborted !== true
  for (let count = 0; count < readyConnections; count += 1)
    holdReady({ path: relay, target: daemon, retryMs, greeting: 'in\n', wanted })
}
