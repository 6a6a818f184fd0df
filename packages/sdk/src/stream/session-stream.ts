import type { Http } from '../http/transport.ts'
import type { SessionEvent } from '../types.ts'
import { resumedStream, type StreamOptions } from './resumed-stream.ts'

/** The event log as it grows, across any number of connections: each stored event exactly once, in order. */
export function sessionStream(
  http: Http,
  path: string,
  options: StreamOptions,
): AsyncGenerator<SessionEvent, void, undefined> {
  return resumedStream(http, path, options, (value) => {
    if (!isSessionEvent(value)) return null
    // Deltas are not in the log: they neither move the cursor nor can they come twice.
    const isDelta = value.type === 'message.delta' || value.type === 'tool.delta'
    return { seq: isDelta ? null : value.seq, event: value }
  })
}

function isSessionEvent(value: object): value is SessionEvent {
  return 'seq' in value && typeof value.seq === 'number' && 'type' in value && typeof value.type === 'string'
}
