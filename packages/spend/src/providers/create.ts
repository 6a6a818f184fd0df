import type { Context } from '@svc/context'
import { type GatewayPlace, gatewayProviders, placeColumns } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { defaultOutputLimitField, type NewProvider } from '@svc/models'
import type { z } from 'zod'
import { changedBy, changePlace, type Changing } from '../places/change.ts'
import { enterPlace } from '../places/enter.ts'
import { requireCallable } from './address.ts'
import { requireProvider } from './find.ts'
import { presentProvider } from './present.ts'
import { keepKey, requireSealer } from './seal-key.ts'

const maxProviders = 100
/** The name of the key that comes with its provider. */
const firstKey = 'first'

export async function createProvider(
  ctx: Changing & Pick<Context, 'settings' | 'provider_sealer'>,
  place: GatewayPlace,
  { slug, api_key, models, deadlines = {}, ...input }: z.infer<typeof NewProvider>,
) {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const sealer = api_key === undefined ? null : requireSealer(ctx)
  const { kind, base_url, output_limit_field = defaultOutputLimitField(kind) } = input
  await requireCallable(ctx, place.scope, base_url)
  const now = ctx.now()
  const change = {
    action: 'create*GatewayProvider',
    target: `/providers/${slug}`,
    details: { kind, base_url, with_key: sealer !== null },
  } as const
  return changePlace(ctx, entered, change, async (tx) => {
    const there = await gatewayProviders.list(tx, place)
    if (there.some((one) => one.slug === slug))
      throw new ServiceError(
        'conflict',
        `There is a model provider ${slug} here; change it, or take another slug`,
      )
    if (there.length >= maxProviders)
      throw new ServiceError('conflict', `There are ${maxProviders} model providers here; remove one first`)
    const provider_id = ctx.newId()
    await gatewayProviders.insert(tx, {
      ...placeColumns(place),
      ...{ provider_id, slug, kind, base_url, output_limit_field },
      models: models ? JSON.stringify(models) : null,
      deadlines: JSON.stringify(deadlines),
      managed_by: 'api',
      created_by: changedBy(ctx),
      created_at: now,
      updated_at: now,
    })
    if (sealer !== null && api_key !== undefined)
      await keepKey(ctx, tx, sealer, { provider_id, name: firstKey, api_key })
    return presentProvider(await requireProvider(tx, place, slug))
  })
}
