import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderLog } from '../../../shared/provider-log.ts'

export interface DiskWatchParts {
  readonly every_ms: number
  /** MiB that are free where sandboxes write. */
  readonly free: () => Promise<number>
  /** Looks at every running sandbox. */
  readonly look: () => Promise<void>
  readonly log: ProviderLog
}

export interface DiskWatch {
  close(): Promise<void>
}

/** No sandbox writes this much unnoticed. */
const noticeableMb = 8
/** Without any sign a look is due all the same: others may free as much as one sandbox takes. */
const restMs = 15_000
/** A look may take a twentieth of the time then: measuring is work for the machine's disk. */
const restFactor = 20

/** Looks at the sandboxes when the disk loses room, which is cheap to see, and now and then besides. */
export function watchDisk({ every_ms, free, look, log }: DiskWatchParts): DiskWatch {
  const closing = new AbortController()
  const run = async (): Promise<void> => {
    let before = Number.POSITIVE_INFINITY
    let due = 0
    while (!closing.signal.aborted) {
      try {
        const now = await free()
        if (before - now >= noticeableMb || performance.now() >= due) {
          const began = performance.now()
          await look()
          due = performance.now() + Math.max(restMs, (performance.now() - began) * restFactor)
          before = now
        }
        before = Math.max(before, now)
      } catch (error) {
        log('warn', 'the disks of sandboxes cannot be measured', { error: String(error) })
      }
      await sleep(every_ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }
  const ended = run()
  return {
    close: async () => {
      closing.abort()
      await ended
    },
  }
}
