import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { ClientLeft } from '../door/client-left.ts'
import type { AppEnv } from '../parts.ts'
import { frameOf, type StreamedEvent } from './frame.ts'
import type { OpenStreams } from './open-streams.ts'

/** Keeps proxies and clients from taking a quiet session for a dead connection. */
const heartbeatMs = 15_000

export function streamEvents(c: Context<AppEnv>, streams: OpenStreams, events: AsyncIterable<StreamedEvent>) {
  const { end, ctx } = c.var
  const response = streamSSE(c, async (stream) => {
    const leave = () => end.abort(new ClientLeft())
    const forget = streams.add(leave)
    stream.onAbort(leave)
    const beat = () => void stream.write(': heartbeat\n\n').catch(leave)
    beat()
    const heartbeat = setInterval(beat, heartbeatMs)
    try {
      for await (const event of events) await stream.write(frameOf(event))
    } catch (error) {
      // The client resumes from the last event that it saw.
      if (end.reason === undefined) ctx.log.error({ err: error }, 'an event stream broke')
    } finally {
      clearInterval(heartbeat)
      forget()
    }
  })
  response.headers.set('Cache-Control', 'no-cache')
  response.headers.set('X-Accel-Buffering', 'no')
  return response
}
