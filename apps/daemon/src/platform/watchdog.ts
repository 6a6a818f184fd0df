import type { Log } from '../log.ts'

export interface Watchdog {
  onContact(): void
  close(): void
}

/**
 * Ends the daemon when the platform stays away. Silence is counted in failed probes rather than read off a clock, so
 * that a sandbox which was frozen for a day still gets its full time after waking up.
 */
export function createWatchdog(parts: {
  readonly probe: () => Promise<unknown>
  readonly onSilence: () => void
  readonly everyMs: number
  readonly silenceMs: number
  readonly log: Log
}): Watchdog {
  const maxFailed = Math.ceil(parts.silenceMs / parts.everyMs)
  let failed = 0
  let inContact = true
  let probing = false

  async function tick(): Promise<void> {
    if (inContact) {
      inContact = false
      failed = 0
      return
    }
    if (probing) return
    probing = true
    try {
      await parts.probe()
      failed = 0
    } catch {
      failed += 1
      if (failed >= maxFailed) {
        parts.log.error('the platform stayed away too long', { probes: failed })
        parts.onSilence()
      }
    } finally {
      probing = false
    }
  }

  const timer = setInterval(() => void tick(), parts.everyMs)
  return {
    onContact: () => {
      inContact = true
    },
    close: () => clearInterval(timer),
  }
}
