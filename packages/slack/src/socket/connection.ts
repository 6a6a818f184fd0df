import { type Dispatcher, type MessageEvent, ping, WebSocket } from 'undici'
import { z } from 'zod'
import { channelError } from '../web/errors.ts'
import { watchedWire } from './watched-wire.ts'

export interface Connection {
  /** Slack asked to leave the connection, or it is closed. */
  readonly left: Promise<void>
  readonly closed: Promise<void>
  close(): void
}

interface Opening {
  readonly url: string
  readonly wire: Dispatcher
  /** Between two looks whether Slack is still there. */
  readonly ping_ms: number
  readonly signal: AbortSignal
  /** Called for each message that is not of the connection itself. */
  readonly onMessage: (message: unknown, send: (reply: object) => void) => void
}

const greetingMs = 15_000
const closingMs = 2_000
const Own = z.object({ type: z.enum(['hello', 'disconnect']) })

/** Opens a WebSocket to Slack; resolves once Slack greeted. */
export function connectSocket({ url, wire, ping_ms, signal, onMessage }: Opening): Promise<Connection> {
  signal.throwIfAborted()
  const watched = watchedWire(wire)
  const socket = new WebSocket(url, { dispatcher: watched.dispatcher })
  const left = deferred<void>()
  const closed = deferred<void>()
  const greeted = deferred<Connection>()
  const destroy = () => watched.socket()?.destroy()
  const fail = (error: unknown) => {
    greeted.reject(error)
    connection.close()
  }
  const abort = () => fail(signal.reason)
  let closing: NodeJS.Timeout | undefined
  let pings: NodeJS.Timeout | undefined

  const connection: Connection = {
    left: left.promise,
    closed: closed.promise,
    close: () => {
      if (closing !== undefined) return
      closing = setTimeout(destroy, closingMs)
      socket.close(1_000)
    },
  }
  const greeting = setTimeout(() => fail(new Error('Slack did not greet the connection')), greetingMs)
  signal.addEventListener('abort', abort, { once: true })

  socket.addEventListener('open', () => {
    let isAlive = true
    watched.socket()?.on('data', () => (isAlive = true))
    pings = setInterval(() => {
      if (!isAlive) return destroy()
      isAlive = false
      ping(socket)
    }, ping_ms)
  })
  socket.addEventListener('message', (event) => {
    const message = parsed(event)
    const own = Own.safeParse(message).data?.type
    if (own === undefined)
      return onMessage(message, (reply) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(reply))
      })
    if (own === 'disconnect') return left.resolve()
    clearTimeout(greeting)
    signal.removeEventListener('abort', abort)
    greeted.resolve(connection)
  })
  // undici keeps the reason to itself; each error is followed by the end.
  socket.addEventListener('error', () => {})
  socket.addEventListener('close', () => {
    for (const timer of [greeting, closing, pings]) clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    greeted.reject(channelError(watched.error() ?? new Error('Slack closed the connection')))
    left.resolve()
    closed.resolve()
  })
  return greeted.promise
}

function parsed(event: MessageEvent): unknown {
  try {
    return JSON.parse(String(event.data))
  } catch {
    return null
  }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  return { promise, resolve, reject }
}
