import { createParser } from 'eventsource-parser'
import type { StreamEvent } from '@svc/models'
import { answerTooLong } from './upstream-answer.ts'

/** One event of a stream, as the bytes that came and as it is read; comments are read as none. */
export interface Frame {
  readonly bytes: Uint8Array
  readonly event: StreamEvent | null
}

const [lf, cr] = [10, 13]
/** A picture is one event. */
export const maxEventBytes = 16 * 1024 * 1024

/** Cuts a stream into its events: bytes that do not end one wait for the rest of it, which may not grow without an end. */
export function eventFrames() {
  let rest: Uint8Array = new Uint8Array()
  let read: StreamEvent | null = null
  const parser = createParser({
    onEvent: ({ event, data }) => {
      read = { event, data }
    },
  })
  const decoder = new TextDecoder()
  const frame = (bytes: Uint8Array): Frame => {
    read = null
    parser.feed(decoder.decode(bytes, { stream: true }))
    return { bytes, event: read }
  }
  return {
    add(chunk: Uint8Array): readonly Frame[] {
      const all = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
      const frames: Frame[] = []
      let start = 0
      // What waits was looked through; its last bytes may begin the blank line.
      for (let at = Math.max(0, rest.byteLength - 2); at < all.byteLength; at++) {
        if (all[at] !== lf) continue
        // A blank line ends an event, be its lines ended by LF or by CRLF.
        const next = all[at + 1] === cr ? at + 2 : at + 1
        if (all[next] !== lf) continue
        frames.push(frame(all.subarray(start, next + 1)))
        start = next + 1
        at = next
      }
      rest = all.subarray(start)
      if (rest.byteLength > maxEventBytes) throw answerTooLong()
      return frames
    },
    /** Half an event is none. */
    isBetween: () => rest.every((byte) => byte === lf || byte === cr),
  }
}
