import { z } from 'zod'

/** A writer on a platform. */
export const Sender = z.object({
  /** Their id on the platform. */
  id: z.string(),
  /** The team, the homeserver or the mail domain that the id belongs to. */
  tenant: z.string(),
  display: z.string(),
})
export type Sender = z.infer<typeof Sender>

const Place = {
  /** The conversation, by its id. */
  conversation: z.string(),
  /** The first message of the thread that it stands in; its own where it begins one. */
  root: z.string(),
  /** Itself, in its conversation. */
  ref: z.string(),
  sender: Sender,
}

export const FileRef = z.object({ name: z.string(), type: z.string(), bytes: z.number(), url: z.string() })
export type FileRef = z.infer<typeof FileRef>

/** The parts of a mail beside its words. */
const Mail = z.object({
  /** Without brackets. */
  message_id: z.string(),
  subject: z.string(),
  /** Mails that it answers, oldest first. */
  references: z.array(z.string()),
  /** The mails that it quotes, which others wrote. */
  quoted: z.string(),
  /** The server that received it vouches for its sender. */
  authenticated: z.boolean(),
  /** Of the token in the address that it went to, by which its thread is found. */
  token_hash: z.string().nullable(),
})

export const InboundMessage = z.object({
  kind: z.literal('message'),
  ...Place,
  /** A conversation of this person and the bot alone, where each message is meant for it. */
  direct: z.boolean(),
  /** As it was written, without the mention of the bot. */
  text: z.string(),
  mentions_bot: z.boolean(),
  /** It begins by naming another person. */
  names_other: z.boolean(),
  /**
   * Written by a bot, a change of an earlier message, or about the conversation itself; of mails also an answer of a machine,
   * one of a list, a report of a mail server, one that came round in a circle, or one that is too large.
   */
  skip: z.enum(['bot', 'edited', 'system', 'automatic', 'list', 'bounce', 'loop', 'too_large']).nullable(),
  files: z.array(FileRef),
  /** Of a mail alone. */
  mail: Mail.optional(),
})
export type InboundMessage = z.infer<typeof InboundMessage>

/** A press of a button of a card. */
export const InboundAction = z.object({
  kind: z.literal('action'),
  ...Place,
  /** The message that holds the button, by its id here. */
  message_id: z.string(),
  /** The button's id. */
  action: z.string(),
  /** The words in the text box of the card. */
  text: z.string().nullable(),
})
export type InboundAction = z.infer<typeof InboundAction>

export const InboundDeleted = z.object({
  kind: z.literal('deleted'),
  conversation: z.string(),
  /** The message that is gone. */
  ref: z.string(),
})
export type InboundDeleted = z.infer<typeof InboundDeleted>

/** The bot itself came or went. */
export const InboundMembership = z.object({
  kind: z.literal('membership'),
  conversation: z.string(),
  joined: z.boolean(),
})

/** All that comes in, in words that are the same on each platform; kept as the body of a delivery. */
export const Inbound = z.discriminatedUnion('kind', [
  InboundMessage,
  InboundAction,
  InboundDeleted,
  InboundMembership,
])
export type Inbound = z.infer<typeof Inbound>

/** One thing that a platform sent, with what makes its repeat known. */
export interface Received {
  /** The platform's own id of it: the same when it is sent again. */
  readonly platform_id: string
  /** Of a message: `conversation:ref`, the same under each id that the platform sends it. Null for what has no second id. */
  readonly message_key: string | null
  readonly body: Inbound
  /** The content of its files, in their order, where the platform sends them along and has them nowhere else. */
  readonly contents?: readonly Uint8Array[]
}
