import type { BackupRow } from '@svc/db'
import { latestSlot } from '@svc/trigger'

/** The pause after one that failed, or whose process died. */
const retryMs = 15 * 60_000

const schedule = (cron: string) => ({ cron, run_at: null, timezone: 'UTC' })

export function isCron(text: string): boolean {
  try {
    latestSlot(schedule(text), new Date(0))
    return text.trim().split(/\s+/).length === 6
  } catch {
    return false
  }
}

/**
 * Whether one is to be taken now, beside those of the same place, the newest first. The first one is due at once, so that
 * a wrong address is seen on the day on which it is set.
 */
export function isDue(
  cron: string,
  earlier: readonly Pick<BackupRow, 'state' | 'started_at'>[],
  now: Date,
): boolean {
  const [last] = earlier
  if (last === undefined) return true
  const slot = latestSlot(schedule(cron), now)
  const done = earlier.find(({ state }) => state === 'done')
  if (slot === null || (done && done.started_at >= slot)) return false
  return last.started_at < slot || now.getTime() - last.started_at.getTime() >= retryMs
}
