import type { SealedPlace } from '@svc/context'
import { projectPlace } from './projects/project-vault.ts'
import { warmKeyPlace } from './sandboxes/warm/pool.ts'

/** The key of a subscription to events, under which its secrets and headers are sealed. */
export const eventSubscriptionPlace = (subscription_id: string): readonly string[] => [
  'event-subscription',
  subscription_id,
]

/** The key of a channel, under which its credentials are sealed. */
export const channelPlace = (channel_id: string): readonly string[] => ['channel', channel_id]

/** The keys of notifications, one row for the deployment. */
export const notificationKeysPlace: readonly string[] = ['notifications']

/** Columns of the verbs that hold a data key. All else that they seal is sealed with one of these. */
export const servicePlaces: readonly SealedPlace[] = [
  { table: 'projects', id_column: 'project_id', column: 'sealed_data_key', aad: projectPlace },
  { table: 'warm_sandboxes', id_column: 'warm_id', column: 'sealed_data_key', aad: warmKeyPlace },
  {
    table: 'event_subscriptions',
    id_column: 'subscription_id',
    column: 'sealed_data_key',
    aad: eventSubscriptionPlace,
  },
  {
    table: 'project_channels',
    id_column: 'channel_id',
    column: 'sealed_data_key',
    aad: channelPlace,
  },
  {
    table: 'notification_keys',
    id_column: 'singleton',
    column: 'sealed_key',
    aad: () => notificationKeysPlace,
  },
]
