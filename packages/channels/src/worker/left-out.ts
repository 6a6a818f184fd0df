import type { Db } from '@svc/db'
import { type ChannelFile, channelMessages, type ChannelThreadRow } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'

/** Has the thread say once which files of a message its agent does not have, and why. */
export async function sayLeftOut(
  ctx: Pick<ChannelWorkerContext, 'now' | 'newId'>,
  tx: Db,
  thread: ChannelThreadRow,
  { delivery_id, files }: { readonly delivery_id: string; readonly files: readonly ChannelFile[] },
): Promise<void> {
  const lines = leftOutLines(files)
  if (lines.length === 0) return
  const list = lines.map((line) => `- ${line.replace(/^([^:]+)/, '`$1`')}`).join('\n')
  const message_id = ctx.newId()
  await channelMessages.append(
    tx,
    thread,
    {
      ...{ message_id, kind: 'notice', subject_key: `files:${delivery_id}` },
      body: { text: `I go on without:\n${list}` },
    },
    ctx.now(),
  )
}

/** Each file that was left out, with the reason. */
export const leftOutLines = (files: readonly ChannelFile[]): string[] =>
  files.flatMap(({ name, left_out }) => (left_out === null ? [] : [`${name}: ${left_out}`]))
