import { channelDeliveries, channelMessages, channelThreads, type ChannelThreadRow } from '@svc/db/channels'
import { shortened } from '@svc/channel'
import { pageUrl } from '@svc/context'
import type { ChannelWorkerContext } from '../context.ts'
import type { Known } from './message.ts'

const shownChars = 500

/** Asks the person who began the thread whether another may speak to its agent; the message waits for the answer. */
export async function askOwner(
  ctx: ChannelWorkerContext,
  { channel, delivery, link, message, thread }: Known & { readonly thread: ChannelThreadRow },
): Promise<void> {
  const { delivery_id } = delivery
  const { thread_id } = thread
  const { project_id, slug } = channel
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    const locked = await channelThreads.lock(tx, thread_id)
    const facts = { now, reason: 'owner_asked', thread_id, link_id: link.link_id }
    if (!locked || !(await channelDeliveries.move(tx, delivery_id, 'ask', facts))) return
    await channelMessages.append(
      tx,
      locked,
      {
        ...{ message_id: ctx.newId(), kind: 'card', subject_key: `writer:${delivery_id}` },
        subject: { type: 'writer', delivery_id },
        body: {
          title: `May ${link.display} speak to the agent?`.slice(0, 150),
          text: shortened(message.text, shownChars, 'The rest stands above.'),
          // By mail, where nothing can be pressed, the page has the buttons.
          page: pageUrl(ctx.settings, `/projects/${project_id}/channels/${slug}?tab=received&verdict=asked`),
          footer: 'The person who began this thread decides, within 30 minutes.',
          buttons: [
            { id: 'allow', label: 'Allow', style: 'primary' },
            { id: 'always', label: 'Always this person' },
            { id: 'deny', label: 'Deny', style: 'danger' },
          ],
        },
      },
      now,
    )
  })
}
