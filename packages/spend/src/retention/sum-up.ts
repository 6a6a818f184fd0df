import type { BaseContext } from '@svc/context'
import { spendDays } from '@svc/db'

const dayMs = 24 * 3_600_000
const batch = 5_000

/** Keeps of calls that are older than `days` the sums of their days alone; 0 keeps all for ever. How many calls went. */
export async function sumUpOldCalls(
  { db, now }: Pick<BaseContext, 'db' | 'now'>,
  days: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  if (days === 0) return 0
  const before = new Date(now().getTime() - days * dayMs)
  let removed = 0
  while (!signal.aborted) {
    const some = await spendDays.sumUp(db, before, batch)
    removed += some
    if (some < batch) break
  }
  return removed
}
