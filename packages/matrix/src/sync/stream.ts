import type { ChannelStream } from '@svc/channel'
import type { Dispatcher } from 'undici'
import type { Bot } from '../read/text.ts'
import { callsOf } from '../web/client.ts'
import { directRooms } from '../web/direct-rooms.ts'
import { Refusal } from '../web/errors.ts'
import { pollsOf } from './poll.ts'
import { workerOf } from './work.ts'

interface StreamOptions {
  readonly access_token: string
  readonly homeserver_url: string
  /** The connections, to addresses that were checked. */
  readonly wire: Dispatcher
  readonly bot: Bot
  /** The place up to which everything was taken; without one it begins now. */
  readonly cursor?: string | null
  /** Keeps the place from which the next start goes on. */
  readonly keep_cursor?: (cursor: string) => Promise<void>
  /** The time for which the homeserver waits for something to happen. */
  readonly poll_ms?: number
}

/**
 * Sync: the homeserver is asked for what happened since a place, and answers as soon as there is something. The place is kept
 * once all of it was taken, so that what was not taken comes again.
 */
export function matrixStream({
  bot,
  cursor = null,
  keep_cursor,
  poll_ms = 30_000,
  ...api
}: StreamOptions): ChannelStream {
  const call = callsOf(api)
  return {
    follow: async (take, signal) => {
      const poll = pollsOf(call, poll_ms)
      let since: string | null = cursor
      try {
        const direct = await directRooms(call, bot.user_id, signal)
        const work = workerOf({ call, bot, direct, take, signal })
        while (!signal.aborted) {
          const answer = await poll(since, signal).catch((error: unknown) => {
            // A homeserver that was restored knows the place no more, and never will: it begins now.
            if (!(error instanceof Refusal) || since === null) throw error
            since = null
            return null
          })
          if (answer === null) continue
          await work(answer, since)
          if (answer.next_batch !== since) await keep_cursor?.(answer.next_batch)
          since = answer.next_batch
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
