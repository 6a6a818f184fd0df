import type { BaseContext } from '@svc/context'
import { eventPartitions } from '@svc/db'

/** Has the log of sessions ready for the months to come. */
export async function makeEventMonths({ db, now }: Pick<BaseContext, 'db' | 'now'>): Promise<number> {
  return eventPartitions.makeAhead(db, now())
}
