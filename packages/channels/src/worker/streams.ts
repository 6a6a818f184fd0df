import { ChannelRefused } from '@svc/channel'
import { type ChannelRow, channels } from '@svc/db/channels'
import { backOffMs } from '@svc/timing'
import type { ChannelWorkerContext } from '../context.ts'
import { keepReceived } from '../receive.ts'
import { connectedOf } from '../sealing.ts'
import { endChannel, platformOf } from './platform-of.ts'

/** A holder that gives no sign for so long has lost its channel to another process. */
const holdMs = 30_000
const renewMs = 10_000
const failuresToDegrade = 5
const identifyMs = 15_000

export interface Streams {
  /** Takes the connections that no process holds. */
  look(): Promise<void>
  /** Leaves all of them; what was taken is kept first. */
  close(): Promise<void>
}

/** Holds the connections over which platforms push: one process for each channel, whichever takes it first. */
export function holdStreams(ctx: ChannelWorkerContext): Streams {
  const held = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const failures = new Map<string, number>()

  async function hold(row: ChannelRow, fence: number, stop: AbortController): Promise<void> {
    const { channel_id } = row
    let renewals = 0
    const renew = setInterval(() => {
      const until = new Date(ctx.now().getTime() + holdMs)
      renewals += 1
      // One that lasts is well, whether or not anything comes by it.
      if (renewals > 2) noteWell(channel_id).catch(() => undefined)
      channels.holdOn(ctx.db, channel_id, fence, until).then(
        (mine) => mine || stop.abort(),
        // Without the database nothing can be kept: another process may have it meanwhile.
        () => stop.abort(),
      )
    }, renewMs)
    try {
      const connected = connectedOf(ctx, row)
      const keep_cursor = async (cursor: string) => {
        if (!(await channels.keepCursor(ctx.db, channel_id, fence, cursor))) stop.abort()
      }
      const place = { cursor: row.cursor, keep_cursor }
      const stream = connected && ctx.channel_platforms.stream(row.platform, { ...connected, ...place })
      if (!stream) return
      await stream.follow(async (received) => {
        await keepReceived(ctx, row, received)
        await noteWell(channel_id)
      }, stop.signal)
    } catch (error) {
      await failed(row, error)
    } finally {
      clearInterval(renew)
      const pause = backOffMs(failures.get(channel_id) ?? 0, 1_000, 300_000)
      const until = failures.has(channel_id) ? new Date(ctx.now().getTime() + pause) : null
      await channels.holdOn(ctx.db, channel_id, fence, until).catch(() => undefined)
      held.delete(channel_id)
    }
  }

  async function noteWell(channel_id: string): Promise<void> {
    failures.delete(channel_id)
    await channels.noteSuccess(ctx.db, channel_id, ctx.now())
  }

  async function failed(row: ChannelRow, error: unknown): Promise<void> {
    const { channel_id } = row
    failures.set(channel_id, (failures.get(channel_id) ?? -1) + 1)
    if (error instanceof ChannelRefused && error.reason === 'credential_refused' && (await isOut(row)))
      return endChannel(ctx, row, error)
    const words = error instanceof Error ? error.message.slice(0, 500) : String(error)
    ctx.log.warn({ err: error, channel_id }, 'the connection of a channel was lost')
    await channels.noteFailure(ctx.db, channel_id, {
      ...{ error: words, limit: failuresToDegrade, now: ctx.now() },
    })
  }

  /** The bot itself is let in no more; else it is the credential of the connection alone, and the others stay. */
  async function isOut(row: ChannelRow): Promise<boolean> {
    try {
      await platformOf(ctx, row).identify(AbortSignal.any([ctx.signal, AbortSignal.timeout(identifyMs)]))
      return false
    } catch (error) {
      return error instanceof ChannelRefused && error.reason === 'credential_refused'
    }
  }

  return {
    async look() {
      const now = ctx.now()
      for (const row of await channels.unheld(ctx.db, now)) {
        const { channel_id } = row
        if (held.has(channel_id) || ctx.signal.aborted) continue
        const fence = await channels.hold(ctx.db, channel_id, {
          now,
          until: new Date(now.getTime() + holdMs),
        })
        if (fence === null) continue
        const stop = new AbortController()
        const done = hold(row, fence, stop).catch((err: unknown) =>
          ctx.log.warn({ err, channel_id }, 'a channel was not left as it should be'),
        )
        held.set(channel_id, { stop, done })
      }
    },
    async close() {
      for (const { stop } of held.values()) stop.abort()
      await Promise.all([...held.values()].map(({ done }) => done))
    },
  }
}
