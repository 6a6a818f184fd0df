import { pageUrl } from '@svc/context'
import type { Db, PlatformEventRow } from '@svc/db'
import { channelLinks, channelMessages } from '@svc/db/channels'
import { oneLine } from '@svc/services'
import type { NotificationWorkerContext } from './context.ts'
import type { Story } from './stories.ts'

/**
 * Puts a direct message into the outbox of a chat for each of these people who is linked in one, in the transaction that
 * notifies them: it is sent once, by the rules of that outbox.
 */
export async function messagePeople(
  ctx: Pick<NotificationWorkerContext, 'now' | 'newId' | 'settings'>,
  tx: Db,
  {
    story: { kind, title, text, path },
    event: { event_id, account_id, project_id },
    user_ids,
  }: {
    readonly story: Story
    readonly event: Pick<PlatformEventRow, 'event_id' | 'account_id' | 'project_id'>
    readonly user_ids: readonly string[]
  },
): Promise<void> {
  if (user_ids.length === 0) return
  const body = {
    title: oneLine(title).slice(0, 150),
    text: oneLine(text),
    buttons: [{ id: 'open', label: 'Open', url: pageUrl(ctx.settings, path) }],
  }
  for (const place of await channelLinks.directPlaces(tx, { account_id, project_id, user_ids }))
    await channelMessages.insert(
      tx,
      {
        channel_id: place.channel_id,
        account_id,
        project_id: place.project_id,
        conversation: '',
        root: null,
      },
      {
        ...{ message_id: ctx.newId(), kind: 'notice', body, recipient: place.sender },
        idempotency_key: `notification:${event_id}:${kind}:${place.user_id}`,
      },
      ctx.now(),
    )
}
