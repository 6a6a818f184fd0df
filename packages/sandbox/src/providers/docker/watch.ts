import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderLog } from '../../shared/provider-log.ts'

export interface WatchParts {
  readonly every_ms: number
  readonly running: () => Promise<readonly string[]>
  readonly look: (external_id: string) => Promise<void>
  readonly log: ProviderLog
}

export interface Watch {
  look(): Promise<void>
  close(): Promise<void>
}

/** A look may take a twentieth of the time at most: measuring a large sandbox is work for the machine's disk. */
const restFactor = 20

/** Looks at each running sandbox again and again, one after another. */
export function createWatch({ every_ms, running, look, log }: WatchParts): Watch {
  const closing = new AbortController()
  const lookAtAll = async (): Promise<void> => {
    try {
      for (const external_id of await running()) {
        if (closing.signal.aborted) return
        await look(external_id).catch((error: unknown) =>
          log('warn', 'a sandbox cannot be looked at', { external_id, error: String(error) }),
        )
      }
    } catch (error) {
      log('warn', 'the sandboxes cannot be looked at', { error: String(error) })
    }
  }
  const run = async (): Promise<void> => {
    let rest = every_ms
    while (!closing.signal.aborted) {
      await sleep(rest, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      if (closing.signal.aborted) return
      const began = performance.now()
      await lookAtAll()
      rest = Math.max(every_ms, (performance.now() - began) * restFactor)
    }
  }
  const ended = run()
  return {
    look: lookAtAll,
    close: async () => {
      closing.abort()
      await ended
    },
  }
}
