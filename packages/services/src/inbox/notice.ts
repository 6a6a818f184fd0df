import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Subscriptions to events that the platform disabled, for managers, until they are enabled again. */
export const notice = adapterOf({
  rows: (scope) => inboxItems.brokenSubscriptions(scope.holding('project.members.manage')),
  entry: ({ subscription_id, project_id, name, url, disabled_reason, disabled_at }) => ({
    project_id,
    title: name ?? new URL(url).host,
    phrase: disabledPhrase(disabled_reason),
    at: disabled_at,
    path: `/projects/${project_id}/events/${subscription_id}`,
  }),
})

/** The reason for which a subscription is told nothing. */
export const disabledPhrase = (reason: 'gone' | 'too_many_failures'): string =>
  reason === 'gone'
    ? 'Is told of no event any more: its receiver answered 410'
    : 'Is told of no event any more: deliveries in a row came to nothing'
