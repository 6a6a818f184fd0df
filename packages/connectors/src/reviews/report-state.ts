import type { Context } from '@svc/context'
import type { Db, ReviewItemRow } from '@svc/db'
import { logEvents } from '@svc/services'

/** Writes to the log of the item's session, if it has one, in which state the item is. */
export async function reportState(
  ctx: Pick<Context, 'now' | 'metrics'>,
  tx: Db,
  {
    session_id,
    review_id,
    status,
    version,
  }: Pick<ReviewItemRow, 'session_id' | 'review_id' | 'status' | 'version'>,
): Promise<void> {
  if (session_id === null) return
  await logEvents(ctx, tx, session_id, [
    { type: 'review', at: ctx.now(), payload: { review_id, status, version } },
  ])
}
