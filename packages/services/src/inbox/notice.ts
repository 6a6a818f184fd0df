import { inboxItems } from '@svc/db'
import type { InboxAdapter } from './kinds.ts'

/** Subscriptions to events that the platform disabled, for managers, until they are enabled again. */
export const notice: InboxAdapter = async (ctx, scope) => {
  const rows = await inboxItems.brokenSubscriptions(ctx.db, scope.holding('project.members.manage'))
  return rows.map(({ subscription_id, project_id, name, url, disabled_reason, disabled_at }) => ({
    id: subscription_id,
    version: disabled_at.toISOString(),
    project_id,
    title: name ?? new URL(url).host,
    phrase:
      disabled_reason === 'gone'
        ? 'Is told of no event any more: its receiver answered 410'
        : 'Is told of no event any more: deliveries in a row came to nothing',
    at: disabled_at,
    path: `/projects/${project_id}/events/${subscription_id}`,
  }))
}
