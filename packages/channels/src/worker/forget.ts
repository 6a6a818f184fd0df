import { channelLimits } from '@svc/channel'
import { channelDeliveries, channelFiles, channelLinks, channelMessages } from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'

const batch = 1000
const dayMs = 86_400_000
const wordsDays = 30
const keysDays = 90

/** Removes what came in and went out once it is old; the names of what came in are kept longer, so that no repeat counts. */
export async function forgetChannels(ctx: ChannelWorkerContext): Promise<void> {
  const before = (days: number) => new Date(ctx.now().getTime() - days * dayMs)
  const forget = [
    () =>
      channelDeliveries.forget(
        ctx.db,
        { words_before: before(wordsDays), all_before: before(keysDays) },
        batch,
      ),
    () => channelMessages.forget(ctx.db, before(keysDays), batch),
    () =>
      channelFiles.forget(
        ctx.db,
        { content_before: before(channelLimits.fileDays), all_before: before(wordsDays) },
        batch,
      ),
  ]
  for (const work of forget) while ((await work()) >= batch && !ctx.signal.aborted);
  await channelLinks.forgetOffers(ctx.db, before(1))
}
