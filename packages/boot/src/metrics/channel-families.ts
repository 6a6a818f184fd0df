import { notificationKinds } from '@svc/facts'
import { counter, gauge, histogram, ofRequests, ownedBy } from './metric-family.ts'

const platforms = ['chat_a', 'chat_b', 'email'] as const

/** Measures of what others hear of the platform, and of the places where people write. */
export const channelFamilies = {
  ...ownedBy(['api', 'channel-worker'], {
    svc_channel_received_total: counter(
      ['platform'],
      'Messages and presses that came in by channels, each once.',
      'Do people write to agents?',
      { platform: platforms },
    ),
    svc_channel_kept_seconds: histogram(
      ['platform'],
      'Time until what came in by a channel was kept, and could be acknowledged.',
      'Do platforms have to send again?',
      ofRequests,
      { platform: platforms },
    ),
  }),
  ...ownedBy(['channel-worker'], {
    svc_channel_files_total: counter(
      ['platform', 'outcome'],
      'Files that came with messages of channels, by whether agents get them.',
      'Do the files of people arrive?',
      { platform: platforms, outcome: ['kept', 'left_out'] },
    ),
    svc_channel_sent_total: counter(
      ['platform', 'outcome'],
      'Messages on their way to channels, by how each try ended.',
      'Do answers arrive?',
      { platform: platforms, outcome: ['sent', 'retried', 'failed'] },
    ),
    svc_channel_held_total: counter(
      ['platform'],
      'Messages that wait for their sender to say who they are.',
      'Do people give up before they are linked?',
      { platform: platforms },
    ),
    svc_channel_blocked_seconds_total: counter(
      ['platform'],
      'Time for which platforms asked to send nothing.',
      'Do the limits of a platform make answers late?',
      { platform: platforms },
    ),
    svc_channel_oldest_waiting_seconds: gauge(
      [],
      'Age of the oldest message that no channel has yet.',
      'Do answers arrive late?',
    ),
  }),
  ...ownedBy(['channel-worker'], {
    svc_events_published_total: counter(
      [],
      'Events of the platform that got their place in the sequence of their account.',
      'What happens, as others are told?',
    ),
    svc_event_deliveries_total: counter(
      ['outcome'],
      'Tries to deliver an event to a subscription, by how they ended.',
      'Do receivers take what they subscribed to?',
      { outcome: ['delivered', 'failed', 'exhausted', 'cancelled'] },
    ),
    svc_event_lag_seconds: gauge(
      [],
      'Age of the oldest event without a place in its sequence.',
      'Are events told late?',
    ),
    svc_notifications_total: counter(['kind'], 'Notifications that people got.', 'Are people told?', {
      kind: notificationKinds,
    }),
    svc_notification_mails_total: counter(['outcome'], 'Mails with notifications.', 'Do mails arrive?', {
      outcome: ['sent', 'failed', 'given_up'],
    }),
    svc_notification_pushes_total: counter(['outcome'], 'Pushes to browsers.', 'Do pushes arrive?', {
      outcome: ['sent', 'failed'],
    }),
  }),
}
