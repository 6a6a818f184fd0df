import { plans } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireActive } from '../access/suspension.ts'
import type { Context } from '../context.ts'
import { requireFeature } from './require-feature.ts'

/**
 * Refuses for a project that was not opted in, and where its account is suspended or its plan holds no model gateway.
 */
export async function requireGateway(ctx: Pick<Context, 'db' | 'trail'>, project_id: string): Promise<void> {
  await requireFeature(ctx, project_id, 'model_gateway')
  const plan = await plans.ofProject(ctx.db, project_id)
  if (plan) requireActive(ctx, plan)
  if (plan?.gateway !== 'off') return
  if (ctx.trail) ctx.trail.denied = true
  const message = 'The plan of this account holds no model gateway; ask the operator of the platform'
  throw new ServiceError('feature_disabled', message, { feature: 'model_gateway' })
}
