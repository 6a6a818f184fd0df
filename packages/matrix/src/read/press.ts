import type { InboundAction, Received } from '@svc/channel'
import { isSameKey, textKey } from '../render/keys.ts'
import type { EventRoom } from './event.ts'
import { serverOf } from './ids.ts'
import { type Own, ownOf } from './own.ts'
import { type MatrixEvent, relationOf, rootOf } from './schema.ts'
import { textOf, withoutMention } from './text.ts'

/** A reaction to a card presses the button that it stands for; ✏️ waits for the reply that is its text. */
export async function readPress(event: MatrixEvent, room: EventRoom): Promise<Received | null> {
  const { rel_type, event_id, key } = relationOf(event)
  if (rel_type !== 'm.annotation' || event_id === undefined || key === undefined) return null
  if (event.sender === room.bot.user_id || isSameKey(key, textKey)) return null
  const card = await room.eventOf(event_id)
  const own = ownOf(card, room.bot.user_id)
  if (card === null || own === null) return null
  // A button that is gone still says which act came too late.
  const buttons = [...(own.current?.buttons ?? []), ...own.first.buttons]
  const button = buttons.find((one) => isSameKey(one.key, key))
  if (button === undefined) return null
  const { message_id } = own.first
  const body = pressOf(event, card, { message_id, action: button.id, text: null }, room)
  return { platform_id: event.event_id, message_key: null, body }
}

/** A reply to a card that asks for a text, which it is; null for any other. */
export function readTextPress(
  event: MatrixEvent,
  { card, own }: { readonly card: MatrixEvent; readonly own: Own | null },
  room: EventRoom,
): InboundAction | null {
  const button = own?.buttons.find(({ key }) => isSameKey(key, textKey))
  if (!own?.input || button === undefined) return null
  const text = withoutMention(textOf(event.content), room.bot)
  if (text === '') return null
  return pressOf(event, card, { message_id: own.message_id, action: button.id, text }, room)
}

function pressOf(
  { sender }: MatrixEvent,
  card: MatrixEvent,
  act: Pick<InboundAction, 'message_id' | 'action' | 'text'>,
  { room }: EventRoom,
): InboundAction {
  return {
    kind: 'action',
    conversation: room,
    root: rootOf(card),
    ref: card.event_id,
    sender: { id: sender, tenant: serverOf(sender), display: sender },
    ...act,
  }
}
