import { channelLimits, type Received } from '@svc/channel'
import type { BaseContext } from '@svc/context'
import { type Db, jsonb, notifyLater } from '@svc/db'
import { channelDeliveries, channelFiles, type ChannelRow, channels } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { isSigned, readRequest } from '@svc/slack'
import { settled } from '@svc/timing'
import { fileRow, filesOfMessage, tooMuch } from './files-of-message.ts'
import { inTheirThreads } from './mail/threads.ts'
import { slackParts } from './platforms.ts'
import { connectedOf } from './sealing.ts'

type Receiving = Pick<BaseContext, 'db' | 'vault' | 'now' | 'newId' | 'metrics'>

/** Slack waits three seconds for an answer, then sends again; a mail server is asked to. */
export const commitMs = 2_500

/** Keeps what came in, and only then says so. What is known already makes nothing. */
export async function keepReceived(
  ctx: Receiving,
  channel: ChannelRow,
  received: readonly Received[],
): Promise<void> {
  const [now, began] = [ctx.now(), performance.now()]
  const { channel_id, account_id, project_id, platform, identity } = channel
  // The bot's own words come back to it, and may be a link that is for one person alone.
  const others = (await inTheirThreads(ctx.db, channel, received)).filter(
    ({ body }) => !('sender' in body) || body.sender.id !== identity?.user_id,
  )
  const arrived = others.map((one) => ({ ...one, delivery_id: ctx.newId() }))
  const rows = arrived.map(({ delivery_id, platform_id, message_key, body }) => ({
    ...{ delivery_id, channel_id, account_id, project_id, platform_id, message_key },
    ...{ received_at: now, kind: body.kind, sender: 'sender' in body ? body.sender.id : '' },
    thread_key: 'root' in body ? `${body.conversation}:${body.root}` : body.conversation,
    ...{ body: jsonb(body), verdict: 'pending' as const, reason: null, retry_at: now },
    ...{ thread_id: null, prompt_id: null, link_id: null, judged_at: null },
  }))
  const isAlone = arrived.every(({ contents = [] }) => contents.length === 0)
  const fresh = isAlone
    ? await channelDeliveries.insert(ctx.db, rows)
    : await ctx.db.transaction().execute(async (tx) => {
        const ids = await channelDeliveries.insert(tx, rows)
        for (const one of arrived) if (ids.includes(one.delivery_id)) await keepFiles(ctx, tx, channel, one)
        return ids
      })
  ctx.metrics.observe('svc_channel_kept_seconds', { platform }, (performance.now() - began) / 1000)
  if (fresh.length > 0) {
    notifyLater(ctx.db, 'channel', { channel_id })
    notifyLater(ctx.db, 'change', { kind: 'channel', project_id, id: channel_id })
  }
  const { last_received_at } = channel
  if (last_received_at === null || now.getTime() - last_received_at.getTime() > 60_000)
    await channels.noteReceived(ctx.db, channel_id, now)
  ctx.metrics.count('svc_channel_received_total', { platform }, fresh.length)
}

/** Keeps the files that came along with a message, with its row: they cannot be asked for later. */
async function keepFiles(
  ctx: Receiving,
  tx: Db,
  { channel_id, account_id, project_id, platform }: ChannelRow,
  { delivery_id, body, contents = [] }: Received & { readonly delivery_id: string },
): Promise<void> {
  if (body.kind !== 'message') return
  let room: number = channelLimits.filesBytes
  for (const wish of filesOfMessage(body)) {
    const content = 'ref' in wish ? contents[wish.number - 1] : undefined
    if (content === undefined || !('ref' in wish)) continue
    const left_out = tooMuch(wish, room)
    if (left_out === null) room -= content.length
    const outcome = left_out === null ? 'kept' : 'left_out'
    ctx.metrics.count('svc_channel_files_total', { platform, outcome })
    const place = { file_id: ctx.newId(), channel_id, account_id, project_id, delivery_id }
    const row = { ...place, created_at: ctx.now() }
    await channelFiles.insert(tx, fileRow(row, wish, left_out === null ? { content } : { left_out }))
  }
}

export interface ReceiveChannelInput {
  readonly channel_id: string
  readonly headers: Headers
  readonly body: () => Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }>
}

/** A request of Slack, step by step: the address, its signature, then what it says. */
export async function receiveChannelMessage(
  ctx: Receiving,
  { channel_id, headers, body }: ReceiveChannelInput,
): Promise<{ readonly challenge?: string }> {
  const channel = await channels.findById(ctx.db, channel_id)
  const connected = channel && connectedOf(ctx, channel)
  if (!channel || !connected || channel.platform !== 'chat_a' || channel.transport !== 'events')
    throw new ServiceError('not_found', 'No channel receives here; copy the address from its page again')
  const { bytes, whole } = await body()
  if (!whole)
    throw new ServiceError(
      'payload_too_large',
      `The body is larger than ${channelLimits.bodyBytes} bytes; send a smaller message`,
    )
  const signed = isSigned({
    signing_secret: slackParts(connected).credentials.signing_secret ?? '',
    timestamp: headers.get('x-slack-request-timestamp'),
    signature: headers.get('x-slack-signature'),
    ...{ body: bytes, now: ctx.now() },
  })
  if (!signed)
    throw new ServiceError(
      'unauthorized',
      'The signature is missing, wrong or old; check the signing secret of the channel',
    )
  const bot = { user_id: channel.identity?.user_id ?? '' }
  const request = readRequest({ headers, body: bytes, bot })
  if (request.kind === 'challenge') return { challenge: request.challenge }
  if (request.kind === 'nothing') return {}
  const kept = keepReceived(ctx, channel, request.received)
  // Slack sends again what was not answered in time; a row that is written after all is then known.
  if (!(await settled(commitMs, kept)))
    throw new ServiceError('temporarily_unavailable', 'The message could not be kept in time; send it again')
  await kept
  return {}
}
