import { type Feature, featureFlag } from '@svc/access'
import { type Db, features } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'

export async function hasFeature(db: Db, project_id: string, feature: Feature): Promise<boolean> {
  return (await features.find(db, project_id, feature)) ?? featureFlag(feature).default
}

/** Refuses what the project has switched off. */
export async function requireFeature(
  ctx: Pick<Context, 'db' | 'trail'>,
  project_id: string,
  feature: Feature,
): Promise<void> {
  if (await hasFeature(ctx.db, project_id, feature)) return
  if (ctx.trail) ctx.trail.denied = true
  throw new ServiceError(
    'feature_disabled',
    `The feature ${feature} is switched off in this project; a manager switches it on in its settings`,
    {
      feature,
    },
  )
}
