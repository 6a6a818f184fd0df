import { setMaxListeners } from 'node:events'
import {
  type ChannelWorkerContext,
  followInThreads,
  forgetChannels,
  mailRoute,
  openChannelPlatforms,
} from '@svc/channels/worker'
import {
  deliverEvents,
  type EventWorkerContext,
  forgetEvents,
  publishEvents,
  sweepEvents,
} from '@svc/events/worker'
import { openMail } from '@svc/mail'
import {
  forgetNotifications,
  mailDigests,
  type NotificationWorkerContext,
  pushNotifications,
  notifyDisabled,
  notifyChannelEnded,
  notifyPeople,
} from '@svc/notifications/worker'
import { sessionConnections } from '@svc/connectors/sessions'
import { guardedAgent } from '@svc/outbound'
import { every, jobMeter, type Platform, runJob, trackFailures } from '@svc/platform'
import { outagesOf } from '@svc/services'
import { sessionModels } from '@svc/spend'
import { untilAborted } from '@svc/timing'
import type { ChannelWorkerEnv } from './env.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { listenForMails } from './listen-for-mails.ts'
import { startChannels } from './start-channels.ts'

export interface RunningChannelWorker {
  /** The port on which it takes mails, once it does; null without `SVC_CHANNEL_LMTP`. */
  readonly lmtp_port: Promise<number | null>
  /** Waits for the work that runs, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

type Settings = Pick<
  ChannelWorkerEnv,
  | 'SVC_EVENTS_DAYS'
  | 'SVC_EVENTS_RETRY_SECONDS'
  | 'SVC_EVENTS_DISABLE_AFTER'
  | 'SVC_EVENTS_CONCURRENCY'
  | 'SVC_CHANNEL_CONCURRENCY'
  | 'SVC_CHANNEL_LMTP'
  | 'SVC_CHANNEL_MAIL_DOMAIN'
  | 'SVC_CHANNEL_MAIL_AUTHSERV'
  | 'SVC_OUTBOUND_ADDRESSES'
  | 'SVC_MAIL_URL'
  | 'SVC_MAIL_FROM'
  | 'SVC_NOTIFICATIONS_DAYS'
  | 'SVC_DIGEST_AFTER_SECONDS'
  | 'SVC_DIGEST_EVERY_SECONDS'
>

const sweepMs = 2_000
const mailMs = 5_000
const forgetMs = 600_000

/** Talks with chats and mailboxes, and tells people and other systems what happened. */
export function startChannelWorker(platform: Platform, env: Settings): RunningChannelWorker {
  const { ctx, queue } = platform
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const rules = { open: env.SVC_OUTBOUND_ADDRESSES ?? [] }
  const wire = guardedAgent(rules, { connect_ms: 10_000, headers_ms: 15_000, body_ms: 15_000 })
  const mail = openMail(env, ctx.log)
  const notifying: NotificationWorkerContext = {
    ...ctx,
    signal: stop.signal,
    wire,
    mail,
    notification_settings: {
      keep_days: env.SVC_NOTIFICATIONS_DAYS,
      digest_after_seconds: env.SVC_DIGEST_AFTER_SECONDS,
      digest_every_seconds: env.SVC_DIGEST_EVERY_SECONDS,
    },
  }
  // The outbox sends again, and digests do so by themselves.
  const way = openMail(env, ctx.log, { retry_ms: [] })
  const platforms = openChannelPlatforms(env.SVC_OUTBOUND_ADDRESSES, mailRoute(env, way))
  const writing: ChannelWorkerContext = {
    ...ctx,
    locks: platform.locks,
    signal: stop.signal,
    channel_platforms: platforms.platforms,
    channel_ended: (tx, channel, reason) => notifyChannelEnded(notifying, tx, { channel, reason }),
    session_models: sessionModels(ctx),
    session_connections: sessionConnections,
  }
  const parts: EventWorkerContext = {
    ...ctx,
    signal: stop.signal,
    wire,
    people: {
      notify: async (tx, events) => {
        await notifyPeople(notifying, tx, events)
        await followInThreads(writing, tx, events)
      },
      notifyDisabled: (tx, disabled) => notifyDisabled(notifying, tx, disabled),
    },
    event_settings: {
      retry_seconds: env.SVC_EVENTS_RETRY_SECONDS,
      disable_after: env.SVC_EVENTS_DISABLE_AFTER,
      keep_days: env.SVC_EVENTS_DAYS,
    },
  }
  const worker = queue.work(
    'channel',
    {
      'event.deliver': (ids: { readonly subscription_id: string }, job) =>
        runJob(ctx, job, ids, () => deliverEvents(parts, ids)),
    },
    {
      concurrency: env.SVC_EVENTS_CONCURRENCY,
      ...jobMeter(ctx.metrics, 'channel'),
      ...trackFailures(ctx),
    },
  )
  const publish = oneAtATime((account_id) => publishEvents(parts, { account_id }), ctx.log)
  const deliver = oneAtATime((subscription_id) => deliverEvents(parts, { subscription_id }), ctx.log)
  // Null: words may have been missed, and the sweep finds what they were about.
  const deaf = ctx.listener.subscribe('platform_event', (word) => {
    if (word !== null) publish.ask(word.account_id)
  })
  const push = oneAtATime(() => pushNotifications(notifying), ctx.log)
  const unheard = ctx.listener.subscribe('notification', () => push.ask('due'))
  const outages = outagesOf(ctx.log)
  const channels = startChannels(writing, { outages, concurrency: env.SVC_CHANNEL_CONCURRENCY })
  const mails = listenForMails(writing, env)
  const loops = [
    every({
      ms: sweepMs,
      name: 'the sweep for events',
      work: () => sweepEvents(parts, deliver.ask),
      outages,
    }),
    every({ ms: sweepMs, name: 'the sweep for pushes', work: async () => push.ask('due'), outages }),
    every({ ms: mailMs, name: 'the sweep for mails', work: () => mailDigests(notifying), outages }),
    every({ ms: forgetMs, name: 'the sweep for old events', work: () => forgetEvents(parts), outages }),
    every({ ms: forgetMs, name: 'the sweep for old messages', work: () => forgetChannels(writing), outages }),
    every({
      ms: forgetMs,
      name: 'the sweep for old notifications',
      work: () => forgetNotifications(notifying),
      outages,
    }),
  ]
  return {
    lmtp_port: mails.port,
    close: async (force = new AbortController().signal) => {
      deaf()
      unheard()
      const swept = Promise.all(loops.map((loop) => loop.stop()))
      await worker.close(force)
      await untilAborted(mails.close(), force)
      await untilAborted(channels.close(), force)
      stop.abort()
      await untilAborted(Promise.all([swept, publish.settled(), deliver.settled(), push.settled()]), force)
      await wire.destroy()
      await platforms.close()
      await mail?.close()
      await way?.close()
    },
  }
}
