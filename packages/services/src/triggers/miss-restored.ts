import type { BaseContext } from '@svc/context'
import { triggers } from '@svc/db'
import { dueSlots } from '@svc/trigger'
import { definitionOf, scheduleOf } from './definition.ts'
import { recordMissed } from './fire-due.ts'

/**
 * After a restore: the slots since the rows were read may have fired in the deployment that is gone, so none of them fires
 * again. Each is in the ledger as missed, and the trigger waits for its next one. Returns the number of triggers.
 */
export async function missRestoredSlots(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'metrics'>,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const found = await ctx.db.transaction().execute(async (tx) => {
      const row = await triggers.claimDue(tx, ctx.now())
      if (row === undefined) return false
      const schedule = scheduleOf(definitionOf(row))
      if (schedule === null || row.next_fire_at === null) {
        await triggers.patch(tx, row, { next_fire_at: null, due_at: null })
        return true
      }
      // No slot is young enough to fire.
      const due = dueSlots(schedule, row.next_fire_at, ctx.now(), -1)
      await recordMissed(ctx, tx, row, due, 'restored')
      await triggers.patch(tx, row, { next_fire_at: due.next, due_at: due.next })
      return true
    })
    if (!found) return count
  }
}
