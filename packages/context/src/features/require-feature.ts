import { type Feature, type FeatureDecided, featureFlag, isFeatureOn } from '@svc/access'
import { features } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'

/** Of a project for which nothing was decided. */
export const undecided: FeatureDecided = { project: null, account: null, platform: null, available: true }

/** Refuses what the project, its account or an operator has switched off. */
export async function requireFeature(
  ctx: Pick<Context, 'db' | 'trail'>,
  project_id: string,
  feature: Feature,
): Promise<void> {
  const decided = await decisionOf(ctx, project_id, feature)
  if (isFeatureOn(featureFlag(feature), decided)) return
  if (!decided.available) throw unavailable(ctx, feature)
  if (ctx.trail) ctx.trail.denied = true
  const who = featureFlag(feature).operator_only
    ? `the operator of the platform switches it on: svc admin features set ${feature}=on`
    : 'a manager switches it on in its settings'
  const message = `The feature ${feature} is switched off in this project; ${who}`
  throw new ServiceError('feature_disabled', message, { feature })
}

/** Whether a project has it, for what answers with nothing where it has not. */
export async function hasFeature(
  ctx: Pick<Context, 'db'>,
  project_id: string,
  feature: Feature,
): Promise<boolean> {
  return isFeatureOn(featureFlag(feature), await decisionOf(ctx, project_id, feature))
}

async function decisionOf({ db }: Pick<Context, 'db'>, project_id: string, feature: Feature) {
  const [decided = undecided] = await features.decisions(db, project_id, [feature])
  return decided
}

/** An operator has closed it for every project. */
export function unavailable(ctx: Pick<Context, 'trail'>, feature: Feature): ServiceError {
  if (ctx.trail) ctx.trail.denied = true
  const message = `The operator of the platform has switched the feature ${feature} off for every project; ask them`
  return new ServiceError('feature_disabled', message, { feature })
}
