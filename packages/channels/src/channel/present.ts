import type { Settings } from '@svc/context'
import type { ChannelRow } from '@svc/db/channels'

/** A channel as callers see it: no credential is ever shown. */
export function presentChannel({ settings: { api_url } }: { readonly settings: Settings }, row: ChannelRow) {
  const { channel_id, project_id, slug, name, platform, status, transport, agent, policy, thread_replies } =
    row
  const { conversations, settings, identity, last_error, created_by } = row
  return {
    ...{ channel_id, project_id, slug, name, platform, status, transport, agent, policy, thread_replies },
    ...{ conversations, settings, identity, last_error, created_by },
    blocked_until: row.blocked_until?.toISOString() ?? null,
    last_received_at: row.last_received_at?.toISOString() ?? null,
    receive_url:
      platform === 'chat_a' && row.transport === 'events'
        ? `${api_url}/webhooks/channels/${channel_id}`
        : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
