import { type Journal, type JournalEvent, readCursor } from '../events/journal.ts'

/** A reader so slow that this much waits for it is let go; it comes back with its cursor. */
const waitingFrames = 1_000

function frame(event: string, data: object, id?: string): Uint8Array {
  const head = id === undefined ? '' : `id: ${id}\n`
  return new TextEncoder().encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/**
 * `hello { epoch, head_seq }`, then `resync` when the cursor cannot be served, then the events after it. Without a
 * cursor the stream begins now.
 */
export function eventStream(
  journal: Journal,
  cursor: string | undefined,
  heartbeatMs: number,
  closing: AbortSignal,
): Response {
  let stop = (): void => undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const { epoch, head_seq } = journal
        const send = (bytes: Uint8Array): void => {
          if ((controller.desiredSize ?? 0) < -waitingFrames) end()
          else controller.enqueue(bytes)
        }
        const sendEvent = ({ seq, type, at, payload }: JournalEvent): void =>
          send(frame(type, { seq, type, at, ...payload }, `${epoch}:${seq}`))
        const leave = journal.follow(sendEvent)
        const heart = setInterval(() => send(frame('heartbeat', { head_seq: journal.head_seq })), heartbeatMs)
        let ended = false
        const end = (): void => {
          stop()
          controller.close()
        }
        stop = () => {
          if (ended) return
          ended = true
          leave()
          clearInterval(heart)
          closing.removeEventListener('abort', end)
        }
        closing.addEventListener('abort', end, { once: true })

        send(frame('hello', { epoch, head_seq }))
        if (cursor === undefined || cursor === '') return
        const seq = readCursor(cursor, epoch)
        const missed = seq === null ? null : journal.after(seq)
        if (missed === null) send(frame('resync', { epoch, head_seq }))
        else missed.forEach(sendEvent)
      },
      cancel: () => stop(),
    },
    new CountQueuingStrategy({ highWaterMark: 16 }),
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
