import type {
  BotIdentity,
  ChannelPlatform,
  ChannelPolicy,
  ChannelStatus,
  ChannelTransport,
  DeliveryKind,
  DeliveryVerdict,
  Inbound,
  MessageKind,
  MessageState,
  Outgoing,
  Sender,
  ThreadReplies,
} from '@svc/channel'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'

/** The wishes of one conversation, where they are not those of its channel. */
export interface ConversationSettings {
  readonly name?: string | undefined
  readonly agent?: string | undefined
  readonly policy?: ChannelPolicy | undefined
}

export interface ChannelTable {
  channel_id: string
  account_id: string
  project_id: string
  slug: string
  name: string
  platform: ChannelPlatform
  status: ChannelStatus
  transport: ChannelTransport
  /** Null for the default agent of the project. */
  agent: string | null
  policy: ChannelPolicy
  thread_replies: ThreadReplies
  /** By the id of the conversation. */
  conversations: JSONColumnType<Readonly<Record<string, ConversationSettings>>>
  settings: JSONColumnType<Readonly<Record<string, unknown>>>
  sealed_data_key: string
  /** All of them as one JSON text; null once it is disconnected. */
  sealed_credentials: string | null
  identity: JSONColumnType<BotIdentity | null, string | null, string | null>
  /** The place in the stream of what comes in, where the platform has one. */
  cursor: string | null
  /** Grows with each holder of its connection: an earlier one writes nothing any more. */
  fence: Generated<number>
  held_until: Date | null
  /** Nothing is sent before. */
  blocked_until: Date | null
  /** In a row. */
  failures: Generated<number>
  last_error: string | null
  disconnected_reason: string | null
  last_received_at: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
}

/** A person as a platform knows them, and as an account does. */
export interface ChannelLinkTable {
  link_id: string
  account_id: string
  platform: ChannelPlatform
  tenant: string
  external_user: string
  display: string
  user_id: string
  /** The sign-in that linked them had a second factor. */
  mfa: boolean
  /** The account whose own sign-in it was. */
  sso_account_id: string | null
  created_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

export interface ChannelThreadTable {
  thread_id: string
  channel_id: string
  account_id: string
  project_id: string
  /** The thread on its platform. */
  external_key: string
  conversation: string
  root: string
  /** Null until it is created, as `planned_session_id`. */
  session_id: string | null
  planned_session_id: string
  /** The person who began it. */
  owner_link_id: string | null
  agent: string | null
  policy: ChannelPolicy
  mail_token_hash: Buffer | null
  next_position: Generated<number>
  /** The message that shows how its turn is going, while there is one. */
  progress_message_id: string | null
  created_at: Date
}

export interface ChannelThreadWriterTable {
  thread_id: string
  link_id: string
  created_at: Date
}

export interface ChannelDeliveryTable {
  delivery_id: string
  channel_id: string
  account_id: string
  project_id: string
  platform_id: string
  message_key: string | null
  received_at: Date
  kind: DeliveryKind
  /** Those of one thread are worked in the order in which they came. */
  thread_key: string
  /** The writer's id on the platform. */
  sender: string
  /** Null once it is no longer kept. */
  body: JSONColumnType<Inbound | null, string | null, string | null>
  verdict: DeliveryVerdict
  reason: string | null
  thread_id: string | null
  prompt_id: string | null
  link_id: string | null
  /** The owner of the thread allowed it. */
  allowed: Generated<boolean>
  attempts: Generated<number>
  retry_at: Date | null
  judged_at: Date | null
  /** Set before an act that cannot be taken back goes out of the database: it may have happened. */
  act_began_at: Date | null
  /** The order in which they came. */
  position: GeneratedAlways<number>
}

export interface ChannelLinkTokenTable {
  token_hash: Buffer
  channel_id: string
  tenant: string
  external_user: string
  display: string
  /** The message that waits for it. */
  delivery_id: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** The thing that a card is about. */
export type MessageSubject =
  | { readonly type: 'ask'; readonly session_id: string; readonly request_id: string }
  | { readonly type: 'approval'; readonly call_id: string }
  | {
      readonly type: 'change_request'
      readonly cr_id: string
      /** The commits that its buttons are about. */
      readonly head_sha: string | null
      readonly base_sha: string | null
    }
  | { readonly type: 'writer'; readonly delivery_id: string }
  | { readonly type: 'progress'; readonly session_id: string; readonly prompt_id: string | null }
  /** Sealed until it is sent. */
  | { readonly type: 'link'; readonly sealed_token: string }

export interface ChannelMessageTable {
  message_id: string
  channel_id: string
  account_id: string
  project_id: string
  /** Null for a message outside of threads that the platform knows. */
  thread_id: string | null
  /** Its place among those of its thread. */
  position: number
  kind: MessageKind
  conversation: string
  /** Null for one that begins a thread of its own. */
  root: string | null
  /** Set for a message that one person alone reads. */
  recipient: JSONColumnType<Sender | null, string | null, string | null>
  subject: JSONColumnType<MessageSubject | null, string | null, string | null>
  /** One message of a thread for each. */
  subject_key: string | null
  body: JSONColumnType<Outgoing>
  revision: Generated<number>
  /** The revision that the platform has; 0 for none. */
  sent_revision: Generated<number>
  platform_ref: string | null
  state: MessageState
  attempts: Generated<number>
  /** By the platform, of the revision at hand. */
  refusals: Generated<number>
  /** 0 while it is certain that the platform does not have it; else how often it was looked for, with the first doubt. */
  lookups: Generated<number>
  retry_at: Date | null
  sending_since: Date | null
  sent_at: Date | null
  error: string | null
  idempotency_key: string | null
  created_at: Date
}

/** A file that came with a message, or goes out as one. */
export interface ChannelFileTable {
  file_id: string
  channel_id: string
  account_id: string
  project_id: string
  /** Of what came in; then there is no `message_id`. */
  delivery_id: string | null
  message_id: string | null
  /** Its place among those of its message. */
  position: number
  name: string
  type: string
  bytes: number
  /** Null for one that was left out. */
  sha256: Buffer | null
  /** Null for one that was left out, and once it is no longer kept. */
  content: Buffer | null
  /** The reason for which it was left out, in words. */
  left_out: string | null
  /** The session of the prompt before which it is put into the sandbox. */
  session_id: string | null
  /** The key of that prompt in its session. */
  prompt_key: string | null
  /** The platform's name of it, where it is there before its message is. */
  upload: string | null
  created_at: Date
}

/** The tables, as the database has them. */
export interface ChannelTables {
  project_channels: ChannelTable
  channel_links: ChannelLinkTable
  channel_threads: ChannelThreadTable
  channel_thread_writers: ChannelThreadWriterTable
  channel_deliveries: ChannelDeliveryTable
  channel_link_tokens: ChannelLinkTokenTable
  channel_messages: ChannelMessageTable
  channel_files: ChannelFileTable
}

export type ChannelRow = Selectable<ChannelTable>
export type ChannelLinkRow = Selectable<ChannelLinkTable>
export type ChannelThreadRow = Selectable<ChannelThreadTable>
export type ChannelDeliveryRow = Selectable<ChannelDeliveryTable>
export type ChannelLinkTokenRow = Selectable<ChannelLinkTokenTable>
export type ChannelMessageRow = Selectable<ChannelMessageTable>
export type ChannelFileRow = Selectable<ChannelFileTable>
