import { within } from '@svc/timing'
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface SseOptions {
  /** Called with the reconnection time when the server names one. */
  readonly onRetry: (ms: number) => void
  /** A connection that says nothing for this long, heartbeats included, counts as cut. */
  readonly idle_timeout_ms: number
  /** Ends it, and closes the connection. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The events of one event-stream body, until it ends. Throws when it is cut or falls silent, and the signal's reason. It
 * does not leave the signal to `fetch`: that of Node 20 forgets it once its request is collected, while the body is still read.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  options: SseOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const ready: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => ready.push(event), onRetry: options.onRetry })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const silence = () => new Error(`nothing received for ${options.idle_timeout_ms} ms`)
  const { signal } = options
  const cancel = () => reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const chunk = await within(options.idle_timeout_ms, reader.read(), silence)
      signal?.throwIfAborted()
      if (chunk.done) return
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* ready.splice(0)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    // Also closes the connection when the caller stops in the middle; a body that failed already has nothing to cancel.
    await cancel()
  }
}
