import type { Context } from '@svc/context'
import type { gatewayProviders } from '@svc/db'
import { guardedAgent } from '@svc/outbound'
import { VaultError } from '@svc/vault'
import { askModels, type ModelsAnswer } from './ask-models.ts'

const times = { connect_ms: 5_000, headers_ms: 10_000, body_ms: 10_000 }

/** The key that a provider is asked with from here: none where it needs none, `unknown` where this process has it not. */
export type UsableKey =
  | { readonly kind: 'none' }
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'unknown' }

export function usableKey(
  { provider_sealer }: Pick<Context, 'provider_sealer'>,
  { provider_id, slug, keys }: gatewayProviders.ProviderWithKeys,
): UsableKey {
  // The key of the platform's own provider is a setting of the gateway.
  if (slug === 'svc') return { kind: 'unknown' }
  const key = keys.find(({ enabled }) => enabled)
  if (key === undefined) return { kind: 'none' }
  if (key.sealed === null || provider_sealer === undefined) return { kind: 'unknown' }
  try {
    return { kind: 'secret', secret: provider_sealer.open([provider_id, key.key_id], key.sealed) }
  } catch (error) {
    if (error instanceof VaultError) return { kind: 'unknown' }
    throw error
  }
}

/** Asks a provider for its models on a connection of its own. */
export async function askOnce(
  { settings }: Pick<Context, 'settings'>,
  provider: gatewayProviders.ProviderWithKeys,
  secret: string | null,
): Promise<ModelsAnswer> {
  const rules = provider.scope === 'operator' ? null : { open: settings.outbound_addresses ?? [] }
  const dispatcher = guardedAgent(rules, times)
  try {
    return await askModels(provider, secret, dispatcher)
  } finally {
    void dispatcher.close().catch(() => undefined)
  }
}
