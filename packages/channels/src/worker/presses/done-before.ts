import type { InboundAction } from '@svc/channel'
import type { Db } from '@svc/db'
import {
  channelPresses,
  type ChannelLinkRow,
  channelMessages,
  type ChannelMessageRow,
  channelSubjects,
} from '@svc/db/channels'

interface Again {
  readonly action: InboundAction
  readonly link: ChannelLinkRow
  readonly card: ChannelMessageRow
}

/** The end that a change request has when the button was done. */
const ends: Readonly<Record<string, string>> = { merge: 'merged', close: 'closed' }

/**
 * The last words of a card whose end is what this person has pressed before, and presses again; null where something else
 * became of it, or by another person.
 */
export async function wasDoneBefore(db: Db, { action, link, card }: Again): Promise<string | null> {
  const { message_id, action: button, text } = action
  const now = await channelMessages.find(db, card.message_id)
  if (now === undefined || !(await isAsPressed(db, now, button))) return null
  const { link_id } = link
  if (!(await channelPresses.wasPressed(db, { link_id, message_id, action: button, text }))) return null
  return now.body.footer ?? ''
}

async function isAsPressed(db: Db, { subject, body }: ChannelMessageRow, button: string): Promise<boolean> {
  if (subject?.type !== 'change_request') return body.buttons === undefined
  const row = await channelSubjects.changeRequest(db, subject.cr_id)
  return row !== undefined && row.status === ends[button]
}
