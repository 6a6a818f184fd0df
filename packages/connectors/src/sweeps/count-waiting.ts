import { connectorApprovals } from '@svc/db'
import type { ExecutorContext } from '../context.ts'

/** Shows an operator how many calls wait for people: for an approval, and for one who says how they ended. */
export async function countWaiting({ db, metrics }: Pick<ExecutorContext, 'db' | 'metrics'>): Promise<void> {
  const counts = await connectorApprovals.countWaiting(db)
  for (const [state, count] of Object.entries(counts))
    metrics.set('svc_connector_calls_waiting', { state }, count)
}
