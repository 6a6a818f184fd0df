import { type ChannelAdapter, ChannelRefused, type RateLimited } from '@svc/channel'
import { recordAuditFor } from '@svc/context'
import { channelMessages, type ChannelRow, channels } from '@svc/db/channels'
import { channelTarget } from '../channel/find.ts'
import type { ChannelWorkerContext } from '../context.ts'
import { correspondenceOf } from '../mail/correspondence.ts'
import { connectedOf } from '../sealing.ts'

/** The way to the platform of a channel. */
export function platformOf(ctx: ChannelWorkerContext, row: ChannelRow): ChannelAdapter {
  const connected = connectedOf(ctx, row)
  if (connected === null) throw new ChannelRefused('credential_refused', `${row.slug} is disconnected`)
  const mail = row.platform === 'email' ? { correspondence: correspondenceOf(ctx, row) } : {}
  return ctx.channel_platforms.open(row.platform, { ...connected, ...mail })
}

/** The platform asks for a pause: nothing is sent to it till then. Returns its end. */
export async function blockChannel(
  ctx: ChannelWorkerContext,
  { channel_id, platform }: Pick<ChannelRow, 'channel_id' | 'platform'>,
  { retry_after_ms }: RateLimited,
): Promise<Date> {
  const until = new Date(ctx.now().getTime() + retry_after_ms)
  await channels.block(ctx.db, channel_id, until)
  ctx.metrics.count('svc_channel_blocked_seconds_total', { platform }, retry_after_ms / 1000)
  return until
}

/** The platform takes its credentials no more: they are destroyed, and the managers of the project are told. */
export async function endChannel(
  ctx: ChannelWorkerContext,
  row: ChannelRow,
  { reason, message: error }: ChannelRefused,
): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    const refused = row.sealed_credentials
    const ended = await channels.disconnect(tx, row.channel_id, { reason, refused, error, now })
    if (ended === undefined) return
    await channelMessages.cancel(tx, row.channel_id)
    await ctx.channel_ended?.(tx, ended, reason)
    const asker = {
      actor: { type: 'system', id: 'channel-worker', on_behalf_of: null } as const,
      ...{ session_id: null, request_id: null, ip: null },
    }
    await recordAuditFor(ctx, tx, asker, {
      ...{ account_id: row.account_id, project_id: row.project_id, action: 'disconnectChannel' },
      ...{ target: channelTarget(row), details: { reason } },
    })
  })
}
