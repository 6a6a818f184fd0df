import { setTimeout as pause } from 'node:timers/promises'
import {
  type ChannelAdapter,
  ChannelRefused,
  MessageDeferred,
  MessageRefused,
  type Outgoing,
  RateLimited,
} from '@svc/channel'
import { pageUrl } from '@svc/context'
import { type ChannelMessageRow, channelOutbox, type ChannelRow, channels } from '@svc/db/channels'
import { backOffMs } from '@svc/timing'
import type { ChannelWorkerContext } from '../context.ts'
import { openFor } from '../sealing.ts'
import { blockChannel, endChannel, platformOf } from './platform-of.ts'
import { sendFile } from './send-file.ts'

/** The time after which another worker takes up a message that this one has begun to send. */
export const staleMs = 30_000
/** Between two looks for a message that may have arrived. */
const lookMs = 5_000
const maxRefusals = 5
const giveUpMs = 86_400_000
/** Tries of a change of what the platform has: some hours. */
const maxEdits = 50
/** A platform takes so many messages a second of one conversation. */
const paceMs = 1_000
const failuresToDegrade = 5
const requestMs = 20_000
/** Of a file, in all of its steps. */
const fileMs = 110_000

/** Sends what waits in a channel, in each thread in order, until nothing is due or the platform asks to wait. */
export async function sendMessages(ctx: ChannelWorkerContext, channel_id: string): Promise<void> {
  const posted = new Map<string, number>()
  for (;;) {
    if (ctx.signal.aborted) return
    const now = ctx.now()
    const row = await channels.findById(ctx.db, channel_id)
    if (row === undefined || row.status === 'disconnected') return
    if (row.blocked_until !== null && row.blocked_until > now) return
    const stale_before = new Date(now.getTime() - staleMs)
    const message = await channelOutbox.claim(ctx.db, channel_id, { now, stale_before })
    if (message === undefined) return
    const paced = message.recipient?.id ?? message.conversation
    await pause(paceMs - (Date.now() - (posted.get(paced) ?? 0)), undefined, { signal: ctx.signal })
    const kept = message.kind === 'file' ? await keepLonger(ctx, message) : message
    if (kept !== undefined) await sendOne(ctx, row, kept)
    posted.set(paced, Date.now())
  }
}

/** A file takes longer than a message: until then no other worker takes it up. */
const keepLonger = (ctx: ChannelWorkerContext, message: ChannelMessageRow) =>
  channelOutbox.keepUntil(ctx.db, message, {
    until: new Date(ctx.now().getTime() + fileMs + requestMs),
    stale_ms: staleMs,
  })

async function sendOne(
  ctx: ChannelWorkerContext,
  row: ChannelRow,
  message: ChannelMessageRow,
): Promise<void> {
  const { channel_id } = row
  try {
    const adapter = platformOf(ctx, row)
    const platform_ref = await deliver(ctx, adapter, row, message)
    const now = ctx.now()
    if (platform_ref === null) {
      const retry_at = new Date(now.getTime() + lookMs)
      await channelOutbox.retry(ctx.db, message, { retry_at, error: message.error, lookups: 2 })
      return
    }
    await channelOutbox.sent(ctx.db, message, { platform_ref, now })
    await channels.noteSuccess(ctx.db, channel_id, now)
    ctx.metrics.count('svc_channel_sent_total', { platform: row.platform, outcome: 'sent' })
  } catch (error) {
    await failed(ctx, row, message, error)
  }
}

/** The name of the message on its platform; null where it is looked for once more before it is sent again. */
async function deliver(
  ctx: ChannelWorkerContext,
  adapter: ChannelAdapter,
  row: ChannelRow,
  message: ChannelMessageRow,
): Promise<string | null> {
  const isFile = message.kind === 'file'
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(isFile ? fileMs : requestMs)])
  if (isFile) return sendFile(ctx, adapter, message, signal)
  const { message_id, revision, root, recipient, platform_ref } = message
  const name = { message_id, revision }
  const body = bodyOf(ctx, row, message)
  if (recipient !== null && root !== null) {
    await adapter.whisper({ conversation: message.conversation, root }, recipient, body, name, signal)
    return message_id
  }
  const conversation = recipient === null ? message.conversation : await adapter.direct(recipient, signal)
  const place = { conversation, root: root ?? platform_ref ?? '' }
  if (platform_ref !== null) {
    await adapter.edit(place, platform_ref, body, name, signal)
    return platform_ref
  }
  if (message.lookups > 0 && adapter.find !== undefined) {
    const found = await adapter.find({ conversation, root }, message_id, message.created_at, signal)
    if (found !== null) return found
    if (message.lookups === 1) return null
  }
  return root === null
    ? adapter.begin(conversation, body, name, signal)
    : adapter.post(place, body, name, signal)
}

/** The words as they are sent: a link's address holds its token, which no row shows. */
function bodyOf(
  ctx: ChannelWorkerContext,
  row: ChannelRow,
  { subject, body, message_id }: ChannelMessageRow,
): Outgoing {
  if (subject?.type !== 'link') return body
  const token = openFor(ctx, row, `link/${message_id}`, subject.sealed_token)
  const url = `${pageUrl(ctx.settings, '/link')}#token=${token}`
  return { ...body, buttons: [{ id: 'open', label: 'Link yourself', style: 'primary', url }] }
}

async function failed(
  ctx: ChannelWorkerContext,
  row: ChannelRow,
  message: ChannelMessageRow,
  error: unknown,
): Promise<void> {
  const now = ctx.now()
  const { channel_id, platform } = row
  const words = error instanceof Error ? error.message.slice(0, 500) : String(error)
  const count = (outcome: 'retried' | 'failed') =>
    ctx.metrics.count('svc_channel_sent_total', { platform, outcome })
  const { lookups } = message
  if (error instanceof RateLimited) {
    const retry_at = await blockChannel(ctx, row, error)
    // The platform refused it: it is certain that it is not there.
    await channelOutbox.retry(ctx.db, message, { retry_at, error: words, lookups })
    count('retried')
    return
  }
  if (error instanceof MessageDeferred) {
    const retry_at = new Date(now.getTime() + error.retry_after_ms)
    await channelOutbox.retry(ctx.db, message, { retry_at, error: words, lookups })
    count('retried')
    return
  }
  if (error instanceof ChannelRefused && error.reason === 'credential_refused') {
    await channelOutbox.retry(ctx.db, message, { retry_at: now, error: words, lookups })
    await endChannel(ctx, row, error)
    return
  }
  const refused = error instanceof MessageRefused || error instanceof ChannelRefused
  const isOld =
    message.sent_revision > 0
      ? message.attempts >= maxEdits
      : now.getTime() - message.created_at.getTime() > giveUpMs
  const isOver = isOld || (refused && message.refusals + 1 >= maxRefusals)
  if (isOver) {
    await channelOutbox.fail(ctx.db, message, words)
    count('failed')
    return
  }
  await channels.noteFailure(ctx.db, channel_id, { error: words, limit: failuresToDegrade, now })
  const retry_at = new Date(now.getTime() + backOffMs(message.attempts - 1, 1_000, 300_000))
  await channelOutbox.retry(ctx.db, message, {
    ...{ retry_at, error: words, refused },
    lookups: refused ? lookups : Math.max(lookups, 1),
  })
  count('retried')
}
