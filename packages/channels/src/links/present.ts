import type { ChannelLinkRow } from '@svc/db/channels'

export function presentLink(row: ChannelLinkRow) {
  const { link_id, account_id, platform, tenant, external_user, display, user_id } = row
  return {
    ...{ link_id, account_id, platform, tenant, external_user, display, user_id },
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
