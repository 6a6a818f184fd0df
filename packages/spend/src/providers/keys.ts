import type { Context } from '@svc/context'
import { type GatewayPlace, gatewayProviders } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { changePlace, type Changing } from '../places/change.ts'
import { enterPlace } from '../places/enter.ts'
import { requireOwnProvider } from './find.ts'
import { presentKey } from './present.ts'
import { keepKey, requireSealer } from './seal-key.ts'

const maxKeys = 10

export async function addProviderKey(
  ctx: Changing & Pick<Context, 'provider_sealer'>,
  place: GatewayPlace,
  { slug, name, api_key }: { readonly slug: string; readonly name: string; readonly api_key: string },
) {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const change = {
    action: 'add*GatewayProviderKey',
    target: `/providers/${slug}/keys`,
    details: { name },
  } as const
  return changePlace(ctx, entered, change, async (tx) => {
    const { provider_id, keys } = await requireOwnProvider(tx, place, slug)
    const sealer = requireSealer(ctx)
    if (keys.some((key) => key.name === name))
      throw new ServiceError('conflict', `The provider ${slug} has a key of that name; take another name`)
    if (keys.length >= maxKeys)
      throw new ServiceError('conflict', `A provider has at most ${maxKeys} keys; remove one first`)
    return presentKey(await keepKey(ctx, tx, sealer, { provider_id, name, api_key }))
  })
}

export async function removeProviderKey(
  ctx: Changing,
  place: GatewayPlace,
  { slug, key_id }: { readonly slug: string; readonly key_id: string },
): Promise<void> {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const change = { action: 'remove*GatewayProviderKey', target: `/providers/${slug}/keys/${key_id}` } as const
  await changePlace(ctx, entered, change, async (tx) => {
    const { provider_id } = await requireOwnProvider(tx, place, slug)
    if (await gatewayProviders.removeKey(tx, provider_id, key_id)) return
    throw new ServiceError('not_found', `The provider ${slug} has no such key; list its keys`)
  })
}
