import { setTimeout as pause } from 'node:timers/promises'
import { type ChannelStream, ChannelRefused, type Received } from '@svc/channel'
import { settled, untilAborted } from '@svc/timing'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { type BotUser, readEvent } from '../read/event.ts'
import { readInteraction } from '../read/interaction.ts'
import { callsOf, defaultApiUrl } from '../web/client.ts'
import { type Connection, connectSocket } from './connection.ts'

interface SocketOptions {
  readonly app_token: string
  readonly api_url?: string | undefined
  /** The connections, to addresses that were checked. */
  readonly wire: Dispatcher
  readonly bot: BotUser
  /** Between two looks whether Slack is still there. */
  readonly ping_ms?: number
}

type Take = (received: readonly Received[]) => Promise<void>
type Send = (reply: object) => void

const Envelope = z.object({ type: z.string(), envelope_id: z.string(), payload: z.unknown() })

/** Slack closes a connection some seconds after it asked to leave it. */
const leavingMs = 15_000
const finishingMs = 5_000
/** A connection that ends before was of no use. */
const briefMs = 5_000

/**
 * Socket Mode: Slack pushes over a connection that is opened to it. One that Slack ends is opened again, and the new one is
 * there before the old one is left; what fails to open is for the caller to try again.
 */
export function slackSocket({
  app_token,
  api_url = defaultApiUrl,
  wire,
  bot,
  ping_ms = 10_000,
}: SocketOptions): ChannelStream {
  const call = callsOf({ token: app_token, api_url, wire })

  async function connect(signal: AbortSignal, onMessage: (message: unknown, send: Send) => void) {
    const { url } = await call(signal, (client) => client.apps.connections.open({}))
    if (url === undefined || !URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
      throw new ChannelRefused('unreachable', 'The API does not say where its socket is')
    return connectSocket({ url, wire, ping_ms, signal, onMessage })
  }

  return {
    follow: async (take, signal) => {
      const open = new Set<Connection>()
      const work = new Set<Promise<void>>()
      const onMessage = (message: unknown, send: Send) => {
        const done = answer(message, bot, take, send).finally(() => work.delete(done))
        work.add(done)
      }
      try {
        while (!signal.aborted) {
          const began = Date.now()
          const connection = await connect(signal, onMessage)
          open.add(connection)
          void connection.closed.then(() => open.delete(connection))
          await untilAborted(connection.left, signal)
          closeLater(connection)
          if (Date.now() - began < briefMs) await pause(1_000, undefined, { signal })
        }
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        // What was taken is acknowledged before its connection ends.
        await settled(finishingMs, Promise.all(work))
        for (const connection of open) connection.close()
      }
    },
  }
}

/** Acknowledges an envelope once it was taken. One that was not is sent again by Slack, as if the connection had ended. */
async function answer(message: unknown, bot: BotUser, take: Take, send: Send): Promise<void> {
  const envelope = Envelope.safeParse(message).data
  if (envelope === undefined) return
  const { type, envelope_id, payload } = envelope
  const received =
    type === 'events_api' ? readEvent(payload, bot) : type === 'interactive' ? readInteraction(payload) : []
  try {
    if (received.length > 0) await take(received)
    send({ envelope_id })
  } catch {
    // The caller knows why.
  }
}

function closeLater(connection: Connection): void {
  const timer = setTimeout(() => connection.close(), leavingMs)
  void connection.closed.then(() => clearTimeout(timer))
}
