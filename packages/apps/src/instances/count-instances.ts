import { ownedInstances } from '@svc/app'
import { appInstances } from '@svc/db'
import type { Working } from '../context.ts'

/** Shows an operator how many instances there are, by state. */
export async function countInstances(ctx: Pick<Working, 'db' | 'metrics'>): Promise<void> {
  const counts = await appInstances.countStates(ctx.db)
  for (const state of ownedInstances) ctx.metrics.set('svc_app_instances', { state }, counts.get(state) ?? 0)
}
