import type { ChannelPlatform, RefusalReason } from './machines.ts'
import type { FileRef, Received, Sender } from './inbound.ts'
import type { Outgoing, OutgoingName } from './outbound.ts'

/** A thread on its platform. */
export interface ThreadPlace {
  readonly conversation: string
  /** Its first message. */
  readonly root: string
}

/** The bot, as the platform knows it. */
export interface BotIdentity {
  readonly tenant: string
  readonly tenant_name: string
  readonly user_id: string
  readonly name: string
}

export interface ChannelCheck {
  readonly name: string
  readonly ok: boolean
  readonly message: string
}

/** An earlier message of a thread. */
export interface ThreadLine {
  readonly ref: string
  readonly sender: Sender
  readonly is_bot: boolean
  readonly text: string
}

/** A file on its way out. */
export interface OutgoingFile {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

/** A conversation, and the thread in it; a message that begins one has no root. */
export type FilePlace = { readonly conversation: string; readonly root: string | null }

/**
 * One connected channel on its platform. Every method may throw `ChannelRefused` (the credential or the address is of no use
 * any more), `RateLimited`, or any other error for what may be tried again.
 */
export interface ChannelAdapter {
  readonly platform: ChannelPlatform
  /** The bot whose credential this is. */
  identify(signal: AbortSignal): Promise<BotIdentity>
  /** Looks whether the credential, its scopes and its address do; throws nothing. */
  check(signal: AbortSignal): Promise<readonly ChannelCheck[]>
  /** Posts a message to a thread; its name on the platform. */
  post(place: ThreadPlace, message: Outgoing, name: OutgoingName, signal: AbortSignal): Promise<string>
  /** Posts a message that begins a thread in a conversation. */
  begin(conversation: string, message: Outgoing, name: OutgoingName, signal: AbortSignal): Promise<string>
  /** Makes a posted message say something else. */
  edit(
    place: ThreadPlace,
    ref: string,
    message: Outgoing,
    name: OutgoingName,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * The platform's name of a message whose answer was lost; null when it is not there. A message that begins its thread is
   * looked for with `root` null. `since` bounds the look. Absent where the platform itself makes a repeat the first (it
   * answers it with the first message).
   */
  find?(
    place: { readonly conversation: string; readonly root: string | null },
    message_id: string,
    since: Date,
    signal: AbortSignal,
  ): Promise<string | null>
  /** Says something to one person alone, beside the thread. */
  whisper(
    place: ThreadPlace,
    person: Sender,
    message: Outgoing,
    name: OutgoingName,
    signal: AbortSignal,
  ): Promise<void>
  /** The conversation of the bot and one person, which is made where there is none. */
  direct(person: Sender, signal: AbortSignal): Promise<string>
  /** The thread up to and without `before`, oldest first, at most `limit` of the newest. */
  history(
    place: ThreadPlace,
    before: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ThreadLine[]>
  /** A person's name in words, and that of a conversation; the id where the platform does not say. */
  nameOf(
    of: { readonly user: string } | { readonly conversation: string },
    signal: AbortSignal,
  ): Promise<string>
  /**
   * A file that came with a message, from the platform's own hosts only. `MessageRefused` where the platform does not give it,
   * or it is larger.
   */
  download(file: FileRef, max_bytes: number, signal: AbortSignal): Promise<Uint8Array>
  /**
   * Hands a file to the platform, where it is not shown yet; the platform's name of it, which is kept before it is posted.
   * Absent where a file goes along with its message.
   */
  upload?(file: OutgoingFile, signal: AbortSignal): Promise<string>
  /** Posts a file as a message of its own; the name of that on the platform. `upload` is what `upload` said of it. */
  postFile(
    place: FilePlace,
    file: OutgoingFile & { readonly upload: string | null },
    name: OutgoingName,
    signal: AbortSignal,
  ): Promise<string>
  /** As `find`, for a file of which the answer to its post was lost. */
  findFile?(place: FilePlace, upload: string, signal: AbortSignal): Promise<string | null>
}

/** A connection that stays open, over which a platform pushes. */
export interface ChannelStream {
  /**
   * Calls `take` for everything that comes in, and acknowledges it only once that resolves. Resolves when `signal` is aborted;
   * rejects when the connection is of no use any more.
   */
  follow(take: (received: readonly Received[]) => Promise<void>, signal: AbortSignal): Promise<void>
}

/** The platform does not let the bot in: nothing that is tried again helps. */
export class ChannelRefused extends Error {
  override readonly name = 'ChannelRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The platform asks to wait. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited'
  readonly retry_after_ms: number

  constructor(retry_after_ms: number) {
    super(`The platform asks to wait ${retry_after_ms} ms`)
    this.retry_after_ms = retry_after_ms
  }
}

/** The platform refused this one message, and will again. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused'
}

/** This one message is not sent before then; others are. */
export class MessageDeferred extends Error {
  override readonly name = 'MessageDeferred'
  readonly retry_after_ms: number

  constructor(retry_after_ms: number, message: string) {
    super(message)
    this.retry_after_ms = retry_after_ms
  }
}
