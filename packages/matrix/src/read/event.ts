import type { FileRef, Inbound, InboundMessage, Received } from '@svc/channel'
import { z } from 'zod'
import { serverOf } from './ids.ts'
import { ownOf } from './own.ts'
import { readPress, readTextPress } from './press.ts'
import { type MatrixEvent, relationOf, rootOf } from './schema.ts'
import { type Bot, mentions, namesOther, textOf, withoutMention } from './text.ts'

/** The room of an event, as far as its meaning depends on it. */
export interface EventRoom {
  readonly room: string
  readonly bot: Bot
  /** A room of one person and the bot alone. */
  isDirect(): Promise<boolean>
  /** Another event of the room; null where it is gone. */
  eventOf(event_id: string): Promise<MatrixEvent | null>
}

/** Of messages, those that say what a person wrote. */
const written = ['m.text', 'm.emote', 'm.image', 'm.file', 'm.audio', 'm.video']

const Membership = z.object({ membership: z.string() })

const Media = z.object({
  url: z.string(),
  body: z.string().optional().catch(undefined),
  filename: z.string().optional().catch(undefined),
  info: z
    .object({
      mimetype: z.string().optional().catch(undefined),
      size: z.number().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** The meaning of an event of a room; null where the platform has no use for it. */
export async function readEvent(event: MatrixEvent, room: EventRoom): Promise<Received | null> {
  switch (event.type) {
    case 'm.room.message':
      return readMessage(event, room)
    case 'm.reaction':
      return readPress(event, room)
    case 'm.room.redaction':
      return readRedaction(event, room)
    case 'm.room.member':
      return readMember(event, room)
    default:
      return null
  }
}

/** The bot came into a room or left it; null where only its profile changed, or the event is of another. */
export function ownMove({ type, state_key, content, unsigned }: MatrixEvent, bot: string): string | null {
  if (type !== 'm.room.member' || state_key !== bot) return null
  const now = Membership.safeParse(content).data?.membership ?? null
  const before = Membership.safeParse(unsigned?.['prev_content']).data?.membership
  return now === before ? null : now
}

async function readMessage(event: MatrixEvent, room: EventRoom): Promise<Received | null> {
  const { event_id: platform_id, sender, content } = event
  // One that was taken back has no content.
  if (typeof content['msgtype'] !== 'string') return null
  const { rel_type, event_id: related } = relationOf(event)
  if (rel_type === 'm.replace') {
    // The bot's own, which it changes all the time.
    if (sender === room.bot.user_id || related === undefined) return null
    const edited = Object(content['m.new_content']) as Readonly<Record<string, unknown>>
    const body = await messageOf({ ...event, event_id: related, content: edited }, related, room)
    return { platform_id, message_key: null, body: { ...body, skip: body.skip ?? 'edited' } }
  }
  const { root, press } = await placeOf(event, room)
  if (press !== null) return { platform_id, message_key: null, body: press }
  const body = await messageOf(event, root, room)
  return { platform_id, message_key: `${room.room}:${platform_id}`, body }
}

/** The thread of a message, and the press that it is where it answers a card. */
async function placeOf(
  event: MatrixEvent,
  room: EventRoom,
): Promise<{ readonly root: string; readonly press: Inbound | null }> {
  const { rel_type, is_falling_back, 'm.in_reply_to': reply } = relationOf(event)
  const isThread = rel_type === 'm.thread'
  const isOwn = event.sender === room.bot.user_id || event.content['msgtype'] === 'm.notice'
  const plain = { root: rootOf(event), press: null }
  if (reply === undefined || isOwn || (isThread && is_falling_back === true)) return plain
  const answered = await room.eventOf(reply.event_id)
  const own = ownOf(answered, room.bot.user_id)
  if (answered === null || own === null) return plain
  const press = readTextPress(event, { card: answered, own: own.current }, room)
  // Clients that show no threads answer the bot beside the thread.
  return { root: isThread ? plain.root : rootOf(answered), press }
}

async function messageOf(
  event: MatrixEvent,
  root: string,
  { room, bot, isDirect }: EventRoom,
): Promise<InboundMessage> {
  const { event_id: ref, sender, content } = event
  const isBot = sender === bot.user_id || content['msgtype'] === 'm.notice'
  return {
    kind: 'message',
    conversation: room,
    ...{ root, ref },
    sender: { id: sender, tenant: serverOf(sender), display: sender },
    direct: !isBot && (await isDirect()),
    text: withoutMention(textOf(content), bot),
    mentions_bot: mentions(content, bot),
    names_other: namesOther(content, bot),
    skip: isBot ? 'bot' : written.includes(String(content['msgtype'])) ? null : 'system',
    files: filesOf(content),
  }
}

function filesOf(content: MatrixEvent['content']): FileRef[] {
  if (content['msgtype'] === 'm.text') return []
  const file = Media.safeParse(content).data
  if (file === undefined) return []
  const { url, body, filename, info } = file
  return [
    {
      name: filename ?? body ?? url,
      type: info?.mimetype ?? 'application/octet-stream',
      bytes: info?.size ?? 0,
      url,
    },
  ]
}

function readRedaction(event: MatrixEvent, { room, bot }: EventRoom): Received | null {
  const { event_id: platform_id, sender, redacts, content } = event
  const ref = typeof content['redacts'] === 'string' ? content['redacts'] : redacts
  // The bot takes back its own reactions alone.
  if (ref === undefined || sender === bot.user_id) return null
  return { platform_id, message_key: null, body: { kind: 'deleted', conversation: room, ref } }
}

function readMember(event: MatrixEvent, { room, bot }: EventRoom): Received | null {
  const move = ownMove(event, bot.user_id)
  if (move === null || move === 'invite') return null
  const body = { kind: 'membership', conversation: room, joined: move === 'join' } as const
  return { platform_id: event.event_id, message_key: null, body }
}
