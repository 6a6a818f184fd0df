import type { SubscriptionRow } from '@svc/db'

/** Never a secret, and of its headers the names alone. */
export function presentSubscription(row: SubscriptionRow) {
  return {
    subscription_id: row.subscription_id,
    account_id: row.account_id,
    project_id: row.project_id,
    url: row.url,
    name: row.name,
    types: row.types,
    header_names: row.header_names,
    ordering: row.ordering,
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    exhausted_in_a_row: row.exhausted_in_a_row,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
