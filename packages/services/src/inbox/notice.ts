import { inboxItems } from '@svc/db'
import { adapterOf } from './adapter.ts'

/** Subscriptions to events and channels that the platform ended by itself, for managers, until they are back. */
export const notice = adapterOf({
  rows: (scope) => inboxItems.notices(scope.holding('project.members.manage')),
  entry: ({ subscription_id, slug, project_id, name, url, reason, at }) => ({
    project_id,
    title: name ?? (url === null ? '' : new URL(url).host),
    phrase: slug === null ? disabledPhrase(reason) : channelEndedPhrase(reason),
    at,
    path: `/projects/${project_id}/${slug === null ? `events/${subscription_id}` : `channels/${slug}`}`,
  }),
})

/** The reason for which a subscription is told nothing. */
export const disabledPhrase = (reason: string): string =>
  reason === 'gone'
    ? 'Is told of no event any more: its receiver answered 410'
    : 'Is told of no event any more: deliveries in a row came to nothing'

/** The reason for which a channel takes and says nothing. */
export const channelEndedPhrase = (reason: string): string =>
  reason === 'credential_refused'
    ? 'Is disconnected: its platform refused the credentials; connect it anew'
    : `Is disconnected: ${reason.replaceAll('_', ' ')}; connect it anew`
