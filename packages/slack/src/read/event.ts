import type { BotIdentity, FileRef, InboundMessage, Received } from '@svc/channel'
import { z } from 'zod'
import { firstMention, mentions, readable, withoutMention } from './text.ts'

/** Of the bot, the id of its user. */
export type BotUser = Pick<BotIdentity, 'user_id'>

const File = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private_download: z.string().optional(),
  url_private: z.string().optional(),
})

const Written = z.object({
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  subtype: z.string().optional(),
  text: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  team: z.string().optional(),
  user_team: z.string().optional(),
  files: z.array(File).optional().catch(undefined),
})
type Written = z.infer<typeof Written>

const Event = z.discriminatedUnion('type', [
  Written.extend({ type: z.literal('app_mention'), channel: z.string() }),
  Written.extend({
    type: z.literal('message'),
    channel: z.string(),
    channel_type: z.string().optional(),
    deleted_ts: z.string().optional(),
    message: Written.partial({ ts: true }).optional(),
  }),
  z.object({
    type: z.enum(['member_joined_channel', 'member_left_channel']),
    user: z.string(),
    channel: z.string(),
  }),
  z.object({ type: z.enum(['channel_left', 'group_left']), channel: z.string() }),
])
type Event = z.infer<typeof Event>
type MessageEvent = Extract<Event, { type: 'app_mention' | 'message' }>

const Envelope = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  event_id: z.string(),
  event: z.unknown(),
})

/** Of a message, those that say what a person wrote. */
const written = [undefined, 'file_share', 'thread_broadcast', 'me_message']

/** The meaning of an event of the Events API; nothing where the platform has no use for it. */
export function readEvent(body: unknown, bot: BotUser): Received[] {
  const envelope = Envelope.safeParse(body).data
  const event = Event.safeParse(envelope?.event).data
  if (envelope === undefined || event === undefined) return []
  const { event_id: platform_id, team_id } = envelope
  switch (event.type) {
    case 'member_joined_channel':
    case 'member_left_channel': {
      const joined = event.type === 'member_joined_channel'
      return event.user === bot.user_id ? [membership(platform_id, event.channel, joined)] : []
    }
    case 'channel_left':
    case 'group_left':
      return [membership(platform_id, event.channel, false)]
    case 'app_mention':
    case 'message':
      return messageEvent(platform_id, event, team_id, bot)
    default:
      return event satisfies never
  }
}

function membership(platform_id: string, conversation: string, joined: boolean): Received {
  return { platform_id, message_key: null, body: { kind: 'membership', conversation, joined } }
}

function messageEvent(platform_id: string, event: MessageEvent, team: string, bot: BotUser): Received[] {
  const conversation = event.channel
  const gone = (ref: string): Received[] => [
    { platform_id, message_key: null, body: { kind: 'deleted', conversation, ref } },
  ]
  if (event.type === 'message' && event.subtype === 'message_deleted')
    return event.deleted_ts === undefined ? [] : gone(event.deleted_ts)
  if (event.type === 'message' && event.subtype === 'message_changed') {
    const { message } = event
    // The bot's own, which it changes all the time.
    if (message?.ts === undefined || message.user === bot.user_id) return []
    // Slack's way to say that the first message of a thread is gone.
    if (message.subtype === 'tombstone') return gone(message.ts)
    const body = messageOf({ ...message, ts: message.ts }, event, team, bot)
    return [{ platform_id, message_key: null, body: { ...body, skip: body.skip ?? 'edited' } }]
  }
  return [
    { platform_id, message_key: `${conversation}:${event.ts}`, body: messageOf(event, event, team, bot) },
  ]
}

function messageOf(message: Written, event: MessageEvent, team: string, bot: BotUser): InboundMessage {
  const { user, bot_id, username, subtype, ts, thread_ts, files = [] } = message
  const text = message.text ?? ''
  const first = firstMention(text)
  const isBot = Boolean(bot_id) || subtype === 'bot_message' || user === bot.user_id
  const id = user ?? bot_id ?? ''
  return {
    kind: 'message',
    conversation: event.channel,
    root: thread_ts ?? ts,
    ref: ts,
    sender: { id, tenant: message.user_team ?? message.team ?? team, display: username ?? id },
    direct: event.type === 'message' && event.channel_type === 'im',
    text: readable(withoutMention(text, bot.user_id)),
    mentions_bot: event.type === 'app_mention' || mentions(text, bot.user_id),
    names_other: first !== undefined && first !== bot.user_id,
    skip: isBot ? 'bot' : written.includes(subtype) && user !== undefined ? null : 'system',
    files: files.map(fileRef),
  }
}

/** A file of another team comes with its id alone; `slack:` has it looked up before it is downloaded. */
function fileRef({
  id,
  name,
  mimetype,
  size,
  url_private_download,
  url_private,
}: z.infer<typeof File>): FileRef {
  return {
    name: name ?? id,
    type: mimetype ?? 'application/octet-stream',
    bytes: size ?? 0,
    url: url_private_download ?? url_private ?? `slack:${id}`,
  }
}
