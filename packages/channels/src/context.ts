import type { ChannelAdapter, ChannelPlatform, ChannelStream } from '@svc/channel'
import type { Context, JobContext } from '@svc/context'

/** A verb on channels reaches all that verbs do, and the platforms. */
export interface ChannelContext extends Context {
  readonly channel_platforms: ChannelPlatforms
}

/** The worker acts in the names of people: their verbs get a context of their own. */
export interface ChannelWorkerContext extends JobContext {
  readonly channel_platforms: ChannelPlatforms
}

/** The parts of a channel that lead to its platform. */
export interface Connected {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly identity?: ChannelAdapterIdentity | null
}

export type ChannelAdapterIdentity = Awaited<ReturnType<ChannelAdapter['identify']>>

/** The platforms that a deployment reaches. */
export interface ChannelPlatforms {
  /** Throws `ChannelRefused` for a platform that is not reached from here. */
  open(platform: ChannelPlatform, connected: Connected): ChannelAdapter
  /** The connection over which it pushes; null where it calls the API instead. */
  stream(platform: ChannelPlatform, connected: Connected): ChannelStream | null
}
