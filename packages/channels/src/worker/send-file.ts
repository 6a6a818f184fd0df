import { type ChannelAdapter, MessageRefused } from '@svc/channel'
import { channelFiles, type ChannelMessageRow } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'

/**
 * Sends the file that a message is: handed over first, where the platform takes it so, and its name there kept, so that the
 * repeat of a post is of the same file. Null where it is looked for once more before it is posted again.
 */
export async function sendFile(
  ctx: Pick<ChannelWorkerContext, 'db'>,
  adapter: ChannelAdapter,
  { message_id, revision, conversation, root, lookups }: ChannelMessageRow,
  signal: AbortSignal,
): Promise<string | null> {
  const file = await channelFiles.ofMessage(ctx.db, message_id)
  if (file === undefined || file.content === null) throw new MessageRefused('The file is no longer kept')
  const { file_id, name, type, content } = file
  const place = { conversation, root }
  if (lookups > 0 && file.upload !== null && adapter.findFile !== undefined) {
    const found = await adapter.findFile(place, file.upload, signal)
    if (found !== null) return found
    if (lookups === 1) return null
  }
  const outgoing = { name, type, content }
  let { upload } = file
  if (upload === null && adapter.upload !== undefined) {
    upload = await adapter.upload(outgoing, signal)
    await channelFiles.noteUpload(ctx.db, file_id, upload)
  }
  try {
    return await adapter.postFile(place, { ...outgoing, upload }, { message_id, revision }, signal)
  } catch (error) {
    // The platform may have dropped it, as it was not posted for long.
    if (error instanceof MessageRefused && file.upload !== null)
      await channelFiles.noteUpload(ctx.db, file_id, null)
    throw error
  }
}
