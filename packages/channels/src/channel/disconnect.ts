import { audited, type Context, requireWritesOpen } from '@svc/context'
import { channelMessages, channels } from '@svc/db/channels'
import { type ChannelInput, channelTarget, requireChannel } from './find.ts'

/** Destroys its credentials. Threads and what was said stay, and go on when it is connected under the slug again. */
export async function disconnectChannel(ctx: Context, input: ChannelInput): Promise<void> {
  const { row } = await requireChannel(ctx, input, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  const { account_id, project_id, channel_id } = row
  const entry = { account_id, project_id, action: 'disconnectChannel', target: channelTarget(row) }
  await audited(ctx, entry, async (tx) => {
    await channelMessages.cancel(tx, channel_id)
    const ended = await channels.disconnect(tx, channel_id, { reason: 'user', now: ctx.now() })
    // One that ended by itself is gone from the list from now on.
    if (ended === undefined) await channels.putAway(tx, channel_id)
    return null
  })
}
