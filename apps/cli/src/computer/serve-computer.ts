import { mkdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  computerEnds,
  computerLimits,
  computerProtocol,
  type FrameFromComputer,
  frameToComputer,
} from '@svc/connector'
import { pauseAfterFailures } from '@svc/timing'
import { type Dispatcher, fetch, WebSocket } from 'undici'
import { openJournal } from './journal.ts'
import { callRunner } from './run-calls.ts'
import { servedTools } from './tools/served-tools.ts'

export interface ServeOptions {
  /** `wss://…/connections/{connection_id}/computer`, or `ws://` on a private network. */
  readonly url: URL
  /** The person's bearer token, asked for at each connection, so that a refreshed one is used. */
  readonly token: () => Promise<string>
  /** The name of this computer, as the platform shows it. */
  readonly name: string
  readonly root: string
  readonly allow_shell: boolean
  readonly mcp: readonly string[]
  /** The file of executed calls. */
  readonly journal: string
  readonly signal: AbortSignal
  readonly dispatcher?: Dispatcher
  /** `unreachable` is said once, when the first try of several finds no way. */
  readonly onState?: (state: 'connected' | 'disconnected' | 'unreachable') => void
  /** Milliseconds before the next try, after so many that failed in a row. */
  readonly pauseAfter?: (failures: number) => number
}

const refusals = new Map<number, string>([
  [
    computerEnds.replaced,
    'Another computer serves this connection now; stop that one, or pair this one with a connection of its own',
  ],
  [computerEnds.removed, 'The connection was removed; serve again to make a new one'],
])

/**
 * Serves this computer until the signal ends it: dials out, says its tools, runs calls once each, and dials again when the
 * connection breaks. Throws where the platform refuses it, or another computer took its place.
 */
export async function serveComputer(options: ServeOptions): Promise<void> {
  const { signal, pauseAfter = pauseAfterFailures } = options
  await requireOutside(options)
  const journal = await openJournal(options.journal)
  const served = await servedTools(options).catch(async (error: unknown) => {
    await journal.close()
    throw error
  })
  let send: (frame: FrameFromComputer) => void = () => {}
  const runner = callRunner({ tools: served.tools, journal, send: (frame) => send(frame) })
  const hello: FrameFromComputer = {
    type: 'hello',
    name: options.name,
    tools: [...served.tools.values()].map(({ run: _, ...tool }) => tool),
  }
  const receive = (text: string) => {
    const frame = frameToComputer(text)
    if (frame?.type === 'call') void runner.call(frame)
    else if (frame?.type === 'cancel') runner.cancel(frame.call_id)
    else if (frame?.type === 'ping') send({ type: 'pong' })
  }
  try {
    let failures = 0
    while (!signal.aborted) {
      const end = await connect(options, {
        opened: (socketSend) => {
          send = socketSend
          send(hello)
          failures = 0
          options.onState?.('connected')
        },
        receive,
      })
      send = () => {}
      if (signal.aborted) return
      const refusal = refusals.get(end.code)
      if (refusal !== undefined) throw new Error(refusal)
      if (end.opened) options.onState?.('disconnected')
      else {
        await requireWelcome(options)
        if (failures === 0) options.onState?.('unreachable')
      }
      await wait(pauseAfter(++failures), undefined, { signal }).catch(() => {})
    }
  } finally {
    runner.cancelAll()
    await served.close()
    await journal.close()
  }
}

/** The served tools could otherwise make a call run twice, or answer for one that never ran. */
async function requireOutside({ root, journal }: ServeOptions): Promise<void> {
  const folder = dirname(journal)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const below = relative(await realpath(root), await realpath(folder))
  if (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below))
    throw new Error(
      `The file of executed calls, ${journal}, lies in the folder that is served; keep it elsewhere, or serve a narrower folder`,
    )
}

interface Handlers {
  readonly opened: (send: (frame: FrameFromComputer) => void) => void
  readonly receive: (text: string) => void
}

/** One connection, from its start to its end. */
async function connect(
  { url, token, signal, dispatcher }: ServeOptions,
  { opened, receive }: Handlers,
): Promise<{ readonly code: number; readonly opened: boolean }> {
  const socket = new WebSocket(url, {
    protocols: [computerProtocol],
    headers: { authorization: `Bearer ${await token()}` },
    ...(dispatcher && { dispatcher }),
  })
  let isOpen = false
  let silence: NodeJS.Timeout | undefined
  const stop = () => socket.close(1000)
  const alive = () => {
    clearTimeout(silence)
    silence = setTimeout(stop, computerLimits.silence_ms)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise((resolve) => {
      socket.addEventListener('open', () => {
        isOpen = true
        if (signal.aborted) return stop()
        alive()
        opened((frame) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
        })
      })
      socket.addEventListener('message', ({ data }) => {
        alive()
        if (typeof data === 'string') receive(data)
      })
      socket.addEventListener('error', () => resolve({ code: 1006, opened: isOpen }))
      socket.addEventListener('close', ({ code }) => resolve({ code, opened: isOpen }))
    })
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', stop)
  }
}

/** A refused upgrade does not say why; a plain request does. Throws where dialling again cannot help. */
async function requireWelcome({ url, token, dispatcher, signal }: ServeOptions): Promise<void> {
  const plain = new URL(url)
  plain.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  const headers = { authorization: `Bearer ${await token()}` }
  const answer = await fetch(plain, { headers, signal, ...(dispatcher && { dispatcher }) }).catch(() => null)
  await answer?.body?.cancel()
  if (answer?.status === 401)
    throw new Error('The platform does not know this sign-in any more; run `svc login`, then serve again')
  if (answer?.status === 403 || answer?.status === 404)
    throw new Error(
      `The platform serves no computer at ${plain.href} for this sign-in; check the project and its connector \`computer\``,
    )
}
