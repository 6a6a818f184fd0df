import type { BaseContext } from '@svc/context'
import type { checkRuns } from '@svc/db'

/** Asks the worker of that queue for its part. */
export function enqueuePart(
  { enqueue }: Pick<BaseContext, 'enqueue'>,
  { run_id, queue }: checkRuns.PartKey,
): Promise<void> {
  return queue === 'merge'
    ? enqueue('merge', 'checks.run', { run_id })
    : enqueue('session', 'checks.run', { run_id })
}
