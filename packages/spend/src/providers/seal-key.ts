import type { Context } from '@svc/context'
import { type Db, gatewayProviders, type ProviderKeyRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { KeySealer } from '@svc/vault'

const hintLength = 4

/** The sealer of keys; refuses where the operator gave the API no key for it. */
export function requireSealer({ provider_sealer }: Pick<Context, 'provider_sealer'>): KeySealer {
  if (provider_sealer !== undefined) return provider_sealer
  throw new ServiceError(
    'conflict',
    'This API has no SVC_GATEWAY_MASTER_KEY, under which keys of model providers and bodies of calls are sealed; ask the operator to set it for the API and the gateway',
  )
}

/** Keeps a key, sealed for its very place. */
export async function keepKey(
  ctx: Pick<Context, 'now' | 'newId'>,
  tx: Db,
  sealer: KeySealer,
  {
    provider_id,
    name,
    api_key,
  }: { readonly provider_id: string; readonly name: string; readonly api_key: string },
): Promise<ProviderKeyRow> {
  const key_id = ctx.newId()
  return gatewayProviders.insertKey(tx, {
    ...{ key_id, provider_id, name },
    sealed: sealer.seal([provider_id, key_id], api_key),
    variable: null,
    // Of a key so short, the last characters would be too much of it.
    hint: api_key.length < 3 * hintLength ? '' : api_key.slice(-hintLength),
    created_at: ctx.now(),
  })
}
