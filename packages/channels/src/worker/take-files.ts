import { type ChannelAdapter, channelLimits, ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { type ChannelFile, channelDeliveries, channelFiles } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'
import { type FileOutcome, fileRow, filesOfMessage, type FileWish, tooMuch } from '../files-of-message.ts'
import { maxAttempts } from './lease.ts'
import type { Arriving } from './message.ts'
import { platformOf } from './platform-of.ts'

/** Longer than one file may take. */
const fileMs = 150_000
/**
 * Fetches the files of a message, each once, and keeps them. Those that are too many, too large or not to be had are left out,
 * with the reason; what may be different the next time is thrown, so that the message is worked again.
 */
export async function takeFiles(
  ctx: ChannelWorkerContext,
  { channel, delivery, message }: Arriving,
): Promise<readonly ChannelFile[]> {
  const wishes = filesOfMessage(message)
  const { delivery_id } = delivery
  if (wishes.length === 0) return []
  const kept = await channelFiles.ofDelivery(ctx.db, delivery_id)
  if (kept.length === wishes.length) return kept
  const adapter = platformOf(ctx, channel)
  const { channel_id, account_id, project_id } = channel
  let room = channelLimits.filesBytes
  for (const wish of wishes) {
    const known = kept.find(({ position }) => position === wish.position)
    if (known !== undefined) {
      if (known.left_out === null) room -= known.bytes
      continue
    }
    await channelDeliveries.keepUntil(ctx.db, delivery_id, new Date(ctx.now().getTime() + fileMs))
    const isLast = delivery.attempts + 1 >= maxAttempts
    const outcome = await fetched(ctx, adapter, { wish, room, isLast })
    if ('content' in outcome) room -= outcome.content.length
    ctx.metrics.count('svc_channel_files_total', {
      platform: channel.platform,
      outcome: 'content' in outcome ? 'kept' : 'left_out',
    })
    const place = { file_id: ctx.newId(), channel_id, account_id, project_id, delivery_id }
    await channelFiles.insert(ctx.db, fileRow({ ...place, created_at: ctx.now() }, wish, outcome))
  }
  return channelFiles.ofDelivery(ctx.db, delivery_id)
}

interface Fetching {
  readonly wish: FileWish
  /** Bytes that the message may still have. */
  readonly room: number
  /** It is not tried again. */
  readonly isLast: boolean
}

async function fetched(
  ctx: Pick<ChannelWorkerContext, 'signal' | 'log'>,
  adapter: ChannelAdapter,
  { wish, room, isLast }: Fetching,
): Promise<FileOutcome> {
  if ('text' in wish) return { content: Buffer.from(wish.text) }
  const { name, ref } = wish
  const left_out = tooMuch(wish, room)
  if (left_out !== null) return { left_out }
  const max = Math.min(channelLimits.fileBytes, room)
  try {
    return { content: await adapter.download({ ...ref, name }, max, ctx.signal) }
  } catch (error) {
    if (error instanceof MessageRefused) return { left_out: lowered(error.message) }
    if (error instanceof ChannelRefused && error.reason !== 'credential_refused')
      return { left_out: lowered(error.message) }
    if (!isLast || error instanceof RateLimited || error instanceof ChannelRefused) throw error
    ctx.log.warn({ err: error }, 'a file of a channel could not be fetched')
    return { left_out: 'the platform did not give it, however often it was asked' }
  }
}

/** In the middle of a sentence. */
const lowered = (message: string): string => message.replace(/^The /, 'the ').slice(0, 300)
