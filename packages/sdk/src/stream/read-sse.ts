import { within } from '@svc/timing'
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface SseOptions {
  /** Called with the reconnection time when the server names one. */
  readonly onRetry: (ms: number) => void
  /** A connection that says nothing for this long, heartbeats included, counts as cut. */
  readonly idle_timeout_ms: number
}

/** The events of one event-stream body, until it ends. Throws when it is cut or falls silent. */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  options: SseOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const ready: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => ready.push(event), onRetry: options.onRetry })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const silence = () => new Error(`nothing received for ${options.idle_timeout_ms} ms`)
  try {
    for (;;) {
      const chunk = await within(options.idle_timeout_ms, reader.read(), silence)
      if (chunk.done) return
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* ready.splice(0)
    }
  } finally {
    // Also closes the connection when the caller stops in the middle; a body that failed already has nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}
