import { type GatewayPlace, gatewayProviders } from '@svc/db'
import { changePlace, type Changing } from '../places/change.ts'
import { enterPlace } from '../places/enter.ts'
import { requireOwnProvider } from './find.ts'

/** Removes a provider with its keys. */
export async function removeProvider(
  ctx: Changing,
  place: GatewayPlace,
  { slug }: { readonly slug: string },
) {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const change = { action: 'delete*GatewayProvider', target: `/providers/${slug}` } as const
  await changePlace(ctx, entered, change, async (tx) => {
    const { provider_id } = await requireOwnProvider(tx, place, slug)
    await gatewayProviders.remove(tx, provider_id)
  })
}
