import { createHash } from 'node:crypto'
import type { OutgoingFile } from '@svc/channel'
import type { BaseContext } from '@svc/context'
import type { Db } from '@svc/db'
import { channelFiles, type ChannelMessageRow } from '@svc/db/channels'

/** Keeps the file that a message is, in the transaction that writes the message. */
export async function keepOutgoing(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  tx: Db,
  { channel_id, account_id, project_id, message_id }: ChannelMessageRow,
  { name, type, content }: OutgoingFile,
): Promise<void> {
  await channelFiles.insert(tx, {
    ...{ file_id: ctx.newId(), channel_id, account_id, project_id, delivery_id: null, message_id },
    ...{ position: 0, name, type, bytes: content.byteLength, content: Buffer.from(content) },
    ...{ sha256: createHash('sha256').update(content).digest(), left_out: null },
    ...{ session_id: null, prompt_key: null, upload: null, created_at: ctx.now() },
  })
}
