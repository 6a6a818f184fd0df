import { channelLimits, type DataPart, MessageRefused, promptOf, shortened } from '@svc/channel'
import { channelDeliveries, type ChannelFile } from '@svc/db/channels'
import { inboxFolder } from '@svc/facts'
import type { ChannelWorkerContext } from '../context.ts'
import { platformOf } from './platform-of.ts'
import { leftOutLines } from './left-out.ts'
import type { Known } from './message.ts'

/** The text that the agent reads of a message: the words of the person, and as data what stands before them in the thread. */
export async function wordsFor(
  ctx: ChannelWorkerContext,
  known: Known,
  files: readonly ChannelFile[],
): Promise<string> {
  const { channel, message, link, role } = known
  const adapter = platformOf(ctx, channel)
  const [conversation, earlier] = await Promise.all([
    message.direct && message.mail === undefined
      ? 'a direct message'
      : adapter.nameOf({ conversation: message.conversation }, ctx.signal),
    earlierLines(ctx, known),
  ])
  const data: DataPart[] = [
    { kind: 'earlier messages', lines: earlier },
    { kind: 'quoted mail', lines: message.mail?.quoted ? [message.mail.quoted] : [] },
    { kind: 'files', lines: files.flatMap(fileLine) },
    { kind: 'left out', lines: leftOutLines(files) },
  ]
  const text = shortened(message.text, channelLimits.textChars, 'The whole text is the file message.txt.')
  return promptOf({ ...{ display: link.display, role, conversation, text }, data })
}

/** A file by its place in the workspace, where it is before the agent reads of it. */
const fileLine = ({ delivery_id, name, type, bytes, left_out }: ChannelFile): string[] =>
  left_out === null ? [`${inboxFolder}/${delivery_id}/${name} (${type}, ${bytes} bytes)`] : []

/** Lines that the agent has not read: those behind the last message that it was given. */
async function earlierLines(
  ctx: ChannelWorkerContext,
  { channel, message, thread }: Known,
): Promise<string[]> {
  const { conversation, root, ref } = message
  if (root === ref) return []
  const adapter = platformOf(ctx, channel)
  try {
    const lines = await adapter.history(
      { conversation, root },
      ref,
      channelLimits.earlierMessages,
      ctx.signal,
    )
    const last = thread === undefined ? null : await channelDeliveries.lastPrompt(ctx.db, thread.thread_id)
    const from = lines.findIndex((line) => line.ref === last) + 1
    const unread = lines
      .slice(from)
      .filter((line) => !(line.is_bot && line.sender.id === channel.identity?.user_id))
    return Promise.all(
      unread.map(async ({ sender, text }) => {
        const name = await adapter.nameOf({ user: sender.id }, ctx.signal)
        return `${name}: ${text}`
      }),
    )
  } catch (error) {
    // The platform does not show them: the message itself counts.
    if (error instanceof MessageRefused) return []
    throw error
  }
}
