import type { Context } from '@svc/context'
import { type GatewayPlace, gatewayProviders, type ProviderDeadlines, type ProviderModel } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { changePlace, type Changing } from '../places/change.ts'
import { enterPlace } from '../places/enter.ts'
import { requireCallable } from './address.ts'
import { requireOwnProvider } from './find.ts'
import { presentProvider } from './present.ts'

export interface ProviderChanges {
  readonly base_url?: string | undefined
  readonly models?: readonly ProviderModel[] | null | undefined
  readonly deadlines?: ProviderDeadlines | undefined
  readonly output_limit_field?: 'max_tokens' | 'max_completion_tokens' | undefined
  readonly enabled?: boolean | undefined
}

/** Changes what is named and leaves the rest. */
export async function updateProvider(
  ctx: Changing & Pick<Context, 'settings'>,
  place: GatewayPlace,
  { slug, ...input }: ProviderChanges & { readonly slug: string },
) {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const { base_url, models, deadlines, output_limit_field, enabled } = input
  if (base_url !== undefined) await requireCallable(ctx, place.scope, base_url)
  const change = {
    action: 'update*GatewayProvider',
    target: `/providers/${slug}`,
    details: input,
  } as const
  return changePlace(ctx, entered, change, async (tx) => {
    const before = await requireOwnProvider(tx, place, slug)
    if (base_url !== undefined && before.keys.length > 0) requireSameOrigin(before.base_url, base_url)
    await gatewayProviders.update(tx, before.provider_id, {
      ...(base_url === undefined ? {} : { base_url }),
      ...(models === undefined ? {} : { models: models === null ? null : JSON.stringify(models) }),
      ...(deadlines === undefined ? {} : { deadlines: JSON.stringify(deadlines) }),
      ...(output_limit_field === undefined ? {} : { output_limit_field }),
      ...(enabled === undefined ? {} : { enabled }),
      updated_at: ctx.now(),
    })
    return presentProvider(await requireOwnProvider(tx, place, slug))
  })
}

/** A key is sent to the origin that it was given for: who may change an address cannot read the keys with it. */
function requireSameOrigin(before: string, after: string): void {
  const { origin } = new URL(before)
  if (new URL(after).origin === origin) return
  throw new ServiceError(
    'conflict',
    `The keys of this provider were given for ${origin}; remove them first, or add another provider`,
  )
}
