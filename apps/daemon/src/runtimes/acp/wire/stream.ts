import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { readLines } from './lines.ts'

/** So many lines in a row that are no message: the program is something else. */
const garbageLines = 10_000

export interface StreamEvents {
  /** A line of any kind came: the program lives. */
  onLine(): void
  /** Updates pass no schema of the library: a new kind of update is no error. */
  onUpdate(params: unknown): void
  /** A line that is no message; it belongs to the log of the process. */
  onGarbage(line: string): void
  onTooLong(): void
  /** Nothing but garbage comes. */
  onHopeless(): void
}

const updateMethod = 'session/update'

/**
 * The messages of a program over its standard input and output. The library's own stream reads as fast as the program
 * writes and answers every bad line; this one does neither.
 */
export function messageStream(
  { stdin, stdout }: { readonly stdin: Writable; readonly stdout: Readable },
  events: StreamEvents,
): Stream {
  const messages = parsed(stdout, events)
  return {
    readable: new ReadableStream<AnyMessage>(
      {
        pull: async (controller) => {
          const next = await messages.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        },
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<AnyMessage>({
      write: async (message) => {
        if (stdin.destroyed || stdin.write(`${JSON.stringify(message)}\n`)) return
        await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]).catch(() => undefined)
      },
    }),
  }
}

async function* parsed(stdout: Readable, events: StreamEvents): AsyncGenerator<AnyMessage> {
  let garbage = 0
  for await (const line of readLines(stdout)) {
    events.onLine()
    if (line.kind === 'too_long') {
      events.onTooLong()
      continue
    }
    const message = messageOf(line.text)
    if (message === null) {
      garbage += 1
      if (line.text.trim() !== '') events.onGarbage(line.text)
      if (garbage === garbageLines) events.onHopeless()
      continue
    }
    garbage = 0
    if ('method' in message && message.method === updateMethod && !('id' in message))
      events.onUpdate(message.params)
    else yield message
  }
}

function messageOf(text: string): AnyMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const isMessage =
    ('method' in value && typeof value.method === 'string') ||
    ('id' in value && ('result' in value || 'error' in value))
  // The library reads the rest of it with care.
  return isMessage ? ({ jsonrpc: '2.0', ...value } as AnyMessage) : null
}
