import type { BotIdentity, ChannelAdapter, ChannelPlatform, ChannelStream } from '@svc/channel'
import type { Context, JobContext } from '@svc/context'
import type { Correspondence } from '@svc/mail-channel'
import type { Db } from '@svc/db'
import type { ChannelRow } from '@svc/db/channels'

/** A verb on channels reaches all that verbs do, and the platforms. */
export interface ChannelContext extends Context {
  readonly channel_platforms: ChannelPlatforms
}

/** The worker acts in the names of people: their verbs get a context of their own. */
export interface ChannelWorkerContext extends JobContext {
  readonly channel_platforms: ChannelPlatforms
  /** Those who are told that a channel ended by itself, in the transaction that ends it. */
  readonly channel_ended?: ((tx: Db, channel: ChannelRow, reason: string) => Promise<void>) | undefined
}

/** The parts of a channel that lead to its platform. */
export interface Connected {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly identity?: BotIdentity | null
  /** Of the channel. */
  readonly name?: string
  /** Of mail: what its rows say about its threads. */
  readonly correspondence?: Correspondence
}

/** The place in what a platform sent, where it is read from a place on. */
export interface StreamPlace {
  /** Null for the first start, which begins now. */
  readonly cursor: string | null
  /** Keeps the place from which the next start goes on. */
  readonly keep_cursor: (cursor: string) => Promise<void>
}

/** The platforms that a deployment reaches. */
export interface ChannelPlatforms {
  /** Throws `ChannelRefused` for a platform that is not reached from here. */
  open(platform: ChannelPlatform, connected: Connected): ChannelAdapter
  /** The connection over which it pushes; null where it calls the API instead. */
  stream(platform: ChannelPlatform, connected: Connected & StreamPlace): ChannelStream | null
}
