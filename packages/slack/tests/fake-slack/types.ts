import type { KnownBlock } from '@slack/types'

/** A message as `conversations.replies` and events show it. */
export interface FakeMessage {
  readonly type: 'message'
  readonly ts: string
  readonly team: string
  text: string
  readonly user?: string
  readonly bot_id?: string
  readonly subtype?: string
  readonly thread_ts?: string
  blocks?: readonly KnownBlock[]
  metadata?: unknown
  edited?: { readonly user: string; readonly ts: string }
  readonly files?: readonly FakeFile[]
}

export interface FakeFile {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly size: number
  readonly url_private: string
  readonly url_private_download: string
}

export interface FakeEphemeral {
  readonly conversation: string
  readonly user: string
  readonly text: string
  readonly blocks?: readonly KnownBlock[]
  readonly thread_ts?: string
}

export interface FakeConversation {
  readonly id: string
  readonly name: string
  readonly kind: 'channel' | 'group' | 'im' | 'mpim'
  is_archived: boolean
  has_bot: boolean
  readonly messages: FakeMessage[]
}

export interface FakeUser {
  readonly id: string
  readonly name: string
  readonly real_name: string
  readonly display_name: string
}

/** An event or a press on its way to the app, or there. */
export interface FakeDelivery {
  /** Of an event, its id. */
  readonly id: string
  readonly type: string
  attempts: number
  /** Of the last answer; 0 while there was none, and 200 for what was acknowledged on a socket. */
  status: number
}
