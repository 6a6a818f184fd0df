import { readSettings } from '@svc/boot'
import { channelLmtpEnv, lmtpHasDomain } from '@svc/channels/worker'
import { eventEnv } from '@svc/events'
import { mailEnv } from '@svc/mail'
import { notificationEnv } from '@svc/notifications'
import { outboundEnv } from '@svc/outbound'
import { platformEnv } from '@svc/platform'
import { z } from 'zod'

export const Env = z.object({
  ...platformEnv,
  ...outboundEnv,
  ...eventEnv,
  ...mailEnv,
  ...notificationEnv,
  ...channelLmtpEnv,
  SVC_EVENTS_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(16)
    .describe('subscriptions to events that are served at a time'),
  SVC_CHANNEL_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(16)
    .describe('messages of channels that are worked at a time'),
})

export type ChannelWorkerEnv = z.infer<typeof Env>

export const readEnv = (source: NodeJS.ProcessEnv): ChannelWorkerEnv =>
  readSettings(Env.refine(...lmtpHasDomain), source)
