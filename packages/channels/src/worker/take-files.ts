import { createHash } from 'node:crypto'
import {
  type ChannelAdapter,
  channelLimits,
  ChannelRefused,
  fileNames,
  type FileRef,
  type InboundMessage,
  MessageRefused,
  RateLimited,
} from '@svc/channel'
import { type ChannelFile, channelDeliveries, channelFiles } from '@svc/db/channels'
import { sizeWords } from '@svc/facts'
import type { ChannelWorkerContext } from '../context.ts'
import { maxAttempts } from './lease.ts'
import type { Arriving } from './message.ts'
import { platformOf } from './platform-of.ts'

/** Longer than one file may take. */
const fileMs = 150_000
/** Files of a message that are kept or named as left out; the others are counted alone. */
const namedFiles = 50

/** A file that a message has: on its platform, or the whole of a text that is too long for a prompt. */
type Wish = { readonly name: string; readonly type: string; readonly bytes: number } & (
  { readonly ref: FileRef; readonly number: number } | { readonly text: string }
)

type Outcome = { readonly content: Uint8Array } | { readonly left_out: string }

/**
 * Fetches the files of a message, each once, and keeps them. Those that are too many, too large or not to be had are left out,
 * with the reason; what may be different the next time is thrown, so that the message is worked again.
 */
export async function takeFiles(
  ctx: ChannelWorkerContext,
  { channel, delivery, message }: Arriving,
): Promise<readonly ChannelFile[]> {
  const wishes = wishesOf(message)
  const { delivery_id } = delivery
  if (wishes.length === 0) return []
  const kept = await channelFiles.ofDelivery(ctx.db, delivery_id)
  if (kept.length === wishes.length) return kept
  const adapter = platformOf(ctx, channel)
  const { channel_id, account_id, project_id } = channel
  let room = channelLimits.filesBytes
  for (const [position, wish] of wishes.entries()) {
    const known = kept.find((file) => file.position === position)
    if (known !== undefined) {
      if (known.left_out === null) room -= known.bytes
      continue
    }
    await channelDeliveries.keepUntil(ctx.db, delivery_id, new Date(ctx.now().getTime() + fileMs))
    const isLast = delivery.attempts + 1 >= maxAttempts
    const outcome = await fetched(ctx, adapter, { wish, room, isLast })
    const content = 'content' in outcome ? Buffer.from(outcome.content) : null
    room -= content?.length ?? 0
    ctx.metrics.count('svc_channel_files_total', {
      platform: channel.platform,
      outcome: content === null ? 'left_out' : 'kept',
    })
    await channelFiles.insert(ctx.db, {
      ...{ file_id: ctx.newId(), channel_id, account_id, project_id, delivery_id, message_id: null },
      ...{ position, name: wish.name, type: wish.type, bytes: content?.length ?? wish.bytes, content },
      sha256: content === null ? null : createHash('sha256').update(content).digest(),
      left_out: 'left_out' in outcome ? outcome.left_out : null,
      ...{ session_id: null, prompt_key: null, upload: null, created_at: ctx.now() },
    })
  }
  return channelFiles.ofDelivery(ctx.db, delivery_id)
}

/** The name of a text that is a file, as it is too long. */
const textName = 'message.txt'

function wishesOf({ files, text }: InboundMessage): Wish[] {
  const isLong = text.length > channelLimits.textChars
  const refs = files.slice(0, namedFiles)
  const names = fileNames([...(isLong ? [textName] : []), ...refs.map(({ name }) => name)])
  const wishes = refs.map((ref, index): Wish => {
    const name = names[index + (isLong ? 1 : 0)] ?? ''
    return { name, type: typeOf(ref), bytes: Math.max(0, Math.trunc(ref.bytes)), ref, number: index + 1 }
  })
  if (!isLong) return wishes
  return [{ name: textName, type: 'text/plain', bytes: Buffer.byteLength(text), text }, ...wishes]
}

/** As its sender says, and nothing else: it is shown to the agent. */
const typeOf = ({ type }: FileRef): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'

interface Fetching {
  readonly wish: Wish
  /** Bytes that the message may still have. */
  readonly room: number
  /** It is not tried again. */
  readonly isLast: boolean
}

async function fetched(
  ctx: Pick<ChannelWorkerContext, 'signal' | 'log'>,
  adapter: ChannelAdapter,
  { wish, room, isLast }: Fetching,
): Promise<Outcome> {
  if ('text' in wish) return { content: Buffer.from(wish.text) }
  const { files, fileBytes, filesBytes } = channelLimits
  const { name, bytes, ref, number } = wish
  if (number > files) return { left_out: `a message has at most ${files} files` }
  if (bytes > fileBytes) return { left_out: `it is larger than ${sizeWords(fileBytes)}` }
  const together = `the files of a message have at most ${sizeWords(filesBytes)} together`
  if (bytes > room) return { left_out: together }
  const max = Math.min(fileBytes, room)
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
