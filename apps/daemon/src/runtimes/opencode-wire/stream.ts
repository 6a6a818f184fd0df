import { EventSourceParserStream } from 'eventsource-parser/stream'
import { pause } from '../../shared/backoff.ts'
import { RawEvent } from './schemas.ts'

const reconnectMs = 200

/** Reads the runtime's event stream until the signal fires, connecting again whenever it breaks. */
export async function readStream(
  connect: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  onEvent: (event: RawEvent) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await connect(signal)
      if (!response.ok || !response.body) throw new Error(`event stream answered ${response.status}`)
      const events = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
      for await (const { data } of events) {
        const event = RawEvent.safeParse(parseJson(data))
        if (event.success) onEvent(event.data)
      }
    } catch {
      // The process may be gone or starting; the supervisor knows, and ends this loop when it is.
    }
    await pause(reconnectMs, signal)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
