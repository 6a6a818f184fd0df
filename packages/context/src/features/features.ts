import { type Feature, featureFlag, features as known, isFeatureOn } from '@svc/access'
import { features } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { isPlatformAdmin } from '../access/require-platform-admin.ts'
import { requireProject, requireActor } from '../access/require.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { undecided, unavailable } from './require-feature.ts'

export async function listFeatures(ctx: Pick<Context, 'db' | 'principal'>, input: { project_id: string }) {
  await requireProject(ctx, input.project_id, 'project.customize.read')
  const decided = await decisionsOf(ctx, input.project_id)
  return {
    features: known.map((flag) => {
      const { feature, summary, operator_only } = flag
      return { feature, summary, enabled: isFeatureOn(flag, decided(feature)), operator_only }
    }),
  }
}

async function decisionsOf(ctx: Pick<Context, 'db'>, project_id: string) {
  const names = known.map(({ feature }) => feature)
  const found = await features.decisions(ctx.db, project_id, names)
  return (feature: Feature) => found.find((one) => one.feature === feature) ?? undecided
}

/** Switches flags on or off; all of them or none. */
export async function setFeatures(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: { project_id: string; features: Readonly<Partial<Record<Feature, boolean | undefined>>> },
) {
  const { project_id } = input
  const { account_id } = await requireProject(ctx, project_id, 'project.customize.write')
  const updated_by = requireActor(ctx)
  const changes = known.flatMap(({ feature }) => {
    const enabled = input.features[feature]
    return enabled === undefined ? [] : [{ feature, enabled }]
  })
  const reserved = changes.find(({ feature }) => featureFlag(feature).operator_only)
  if (reserved && !(await isPlatformAdmin(ctx))) {
    if (ctx.trail) ctx.trail.denied = true
    throw new ServiceError(
      'feature_operator_only',
      `Only a platform admin may change ${reserved.feature}; ask the operator`,
      {
        feature: reserved.feature,
      },
    )
  }
  const decided = await decisionsOf(ctx, project_id)
  const closed = changes.find(({ feature, enabled }) => enabled && !decided(feature).available)
  if (closed) throw unavailable(ctx, closed.feature)
  await ctx.db.transaction().execute(async (tx) => {
    for (const change of changes) {
      await features.set(tx, { project_id, ...change, updated_by, updated_at: ctx.now() })
    }
    await recordAudit(ctx, tx, {
      account_id,
      project_id,
      action: 'setFeatures',
      target: `projects/${project_id}/features`,
      details: Object.fromEntries(changes.map(({ feature, enabled }) => [feature, enabled])),
    })
  })
  return listFeatures(ctx, { project_id })
}
