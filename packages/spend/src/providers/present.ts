import type { gatewayProviders, ProviderKeyRow } from '@svc/db'

/** A provider as it is shown: its keys by their hints. */
export function presentProvider(row: gatewayProviders.ProviderWithKeys) {
  const { provider_id, scope, slug, kind, base_url, models, deadlines, output_limit_field } = row
  const { enabled, managed_by, keys, created_by, created_at, updated_at } = row
  return {
    ...{ provider_id, scope, slug, kind, base_url, models, deadlines, output_limit_field, enabled },
    ...{ managed_by, keys: keys.map(presentKey), created_by, created_at, updated_at },
  }
}

export function presentKey(row: ProviderKeyRow) {
  const { key_id, name, hint, enabled, cooling_until, last_used_at, last_error } = row
  return { key_id, name, hint, enabled, cooling_until, last_used_at, last_error }
}
