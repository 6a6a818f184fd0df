import {
  type ChannelWorkerContext,
  holdStreams,
  sendMessages,
  showProgress,
  sweepChannels,
  workDeliveries,
} from '@svc/channels/worker'
import { every } from '@svc/platform'
import type { outagesOf } from '@svc/services'
import { oneAtATime } from './one-at-a-time.ts'

export interface RunningChannels {
  /** Waits for the work that runs. */
  close(): Promise<void>
}

const sweepMs = 2_000
/** Threads are edited no more often. */
const progressMs = 3_000

/** Works what comes in by channels and sends what goes out, as soon as there is word of it; a sweep finds the rest. */
export function startChannels(
  ctx: ChannelWorkerContext,
  { outages, concurrency }: { readonly outages: ReturnType<typeof outagesOf>; readonly concurrency: number },
): RunningChannels {
  const send = oneAtATime((channel_id) => sendMessages(ctx, channel_id), ctx.log)
  const work = oneAtATime(async (channel_id) => {
    await workDeliveries(ctx, channel_id, concurrency)
    send.ask(channel_id)
  }, ctx.log)
  // Null: words may have been missed, and the sweep finds what they were about.
  const deaf = ctx.listener.subscribe('channel', (word) => {
    if (word !== null) work.ask(word.channel_id)
  })
  const streams = holdStreams(ctx)
  const loops = [
    every({
      ...{ ms: sweepMs, name: 'the sweep for channels', outages },
      work: async () => {
        const { receiving, sending } = await sweepChannels(ctx)
        for (const channel_id of receiving) work.ask(channel_id)
        for (const channel_id of sending) send.ask(channel_id)
      },
    }),
    every({ ms: progressMs, name: 'the progress in threads', work: () => showProgress(ctx), outages }),
    every({ ms: sweepMs, name: 'the look for channels to hold', work: () => streams.look(), outages }),
  ]
  return {
    close: async () => {
      deaf()
      await streams.close()
      await Promise.all(loops.map((loop) => loop.stop()))
      await work.settled()
      await send.settled()
    },
  }
}
