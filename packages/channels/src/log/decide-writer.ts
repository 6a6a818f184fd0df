import type { Db } from '@svc/db'
import {
  channelDeliveries,
  channelLinks,
  channelMessages,
  type ChannelMessageRow,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import { closedCard, type WriterDecision } from '@svc/channel'
import { ServiceError } from '@svc/errors'

/** The person who began a thread. */
export interface ThreadOwner {
  readonly user_id: string
  /** Named on the card as the one who decided. */
  readonly display: string
}

/** The thread of a message that waits, where this person is the one who began it. */
export async function requireThreadOwner(
  db: Db,
  thread_id: string | null,
  user_id: string,
): Promise<{ readonly thread: ChannelThreadRow; readonly owner: ThreadOwner }> {
  const thread = thread_id === null ? undefined : await channelThreads.findById(db, thread_id)
  const link =
    thread?.owner_link_id == null ? undefined : await channelLinks.findById(db, thread.owner_link_id)
  if (thread === undefined || link?.user_id !== user_id)
    throw new ServiceError(
      'forbidden',
      'Only the person who began this thread decides who else speaks to its agent; ask them',
    )
  return { thread, owner: { user_id, display: link.display } }
}

/** Lets a message that waits through to the agent, or refuses it, and closes its card; the first decision counts. */
export async function decideWriter(
  tx: Db,
  {
    channel_id,
    delivery_id,
    thread,
    display,
    decision,
    now,
  }: {
    readonly channel_id: string
    readonly delivery_id: string
    readonly thread: ChannelThreadRow
    readonly display: string
    readonly decision: WriterDecision
    readonly now: Date
  },
): Promise<void> {
  const { thread_id } = thread
  const waiting = await channelDeliveries.find(tx, { channel_id, delivery_id })
  const card = await channelMessages.lockBySubject(tx, { thread_id, subject_key: `writer:${delivery_id}` })
  const link_id = waiting?.link_id ?? null
  const facts = { now, link_id, thread_id }
  const allows = decision !== 'deny'
  const moved =
    waiting?.verdict === 'asked' &&
    (allows
      ? await channelDeliveries.move(tx, delivery_id, 'release', { ...facts, allowed: true })
      : await channelDeliveries.move(tx, delivery_id, 'refuse', { ...facts, reason: 'owner_denied' }))
  if (!moved) throw decided(card)
  if (decision === 'always' && link_id !== null)
    await channelThreads.addWriter(tx, { thread_id, link_id, created_at: now })
  if (card === undefined) return
  const footer = allows ? `Allowed by ${display}` : `Denied by ${display}`
  await channelMessages.edit(tx, card.message_id, { body: closedCard(card.body, footer), now })
}

/** The second who decides hears who was first. */
export const decided = (card: Pick<ChannelMessageRow, 'body'> | undefined): ServiceError =>
  new ServiceError(
    'ASK_NOT_PENDING',
    `This was decided already, or waited too long. ${card?.body.footer ?? ''}`.trim(),
  )
