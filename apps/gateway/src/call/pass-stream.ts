import {
  cutLimit,
  type Dialect,
  eventText,
  type EventReading,
  type StreamEvent,
  type StreamFollower,
} from '@svc/models'
import type { Refusal } from '../door/refusal.ts'
import type { Began } from './attempt.ts'
import { eventFrames } from './event-frames.ts'
import type { MeteredCall, Outcome } from './metered-call.ts'

interface Passed {
  readonly began: Began
  /** The first piece of the answer, where it came before the caller was answered. */
  readonly first: IteratorResult<Uint8Array> | null
  readonly dialect: Dialect
  readonly follower: StreamFollower
  readonly call: MeteredCall
  /** The max output tokens of each answer, and how many answers; null where nothing bounds it. */
  readonly limit: { readonly output: number; readonly n: number } | null
  readonly upstream_request_id: string | null
  /** The refusal that an error of the stream is told by. */
  refusalOf(error: unknown): Refusal
}

/** So long a client waits for a first byte before it is told that the model still works. */
export const quietMs = 15_000

/**
 * The events of a provider as they come, while a copy is read for what they cost. The stream ends by its own end, at its
 * limit, or with the dialect's error; then the call is settled, and the client sees its end after that.
 */
export function passStream(passed: Passed): ReadableStream<Uint8Array> {
  const { began, dialect, follower, call, limit } = passed
  const frames = eventFrames()
  const encode = (events: readonly StreamEvent[]) => Buffer.from(events.map(eventText).join(''))
  const max = limit === null ? null : cutLimit(limit.output, limit.n)
  let first = passed.first
  let quiet: NodeJS.Timeout | undefined

  const finish = async (outcome: Omit<Outcome, 'upstream_request_id'>) => {
    clearInterval(quiet)
    began.clock.stop()
    await call.settle({ ...outcome, upstream_request_id: passed.upstream_request_id })
  }
  const ended = () =>
    finish({ event: 'finish', http_status: 200, finish: follower.finish(), usage: follower.usage() })
  const failed = (code: string, http_status: number, event: 'fail' | 'cut' = 'fail') => {
    const said = follower.usage()
    return finish({ event, http_status, code, usage: said && call.soFar(said) })
  }

  /** The bytes of a piece that are sent on; the stream goes on unless its end is among it. */
  function read(chunk: Uint8Array): {
    readonly bytes: Uint8Array
    readonly cut: boolean
    readonly error: EventReading['error']
  } {
    const kept: Uint8Array[] = []
    let error: EventReading['error'] = null
    for (const { bytes, event } of frames.add(chunk)) {
      const reading = event === null ? null : follower.read(event)
      if (reading !== null) call.counter.add(reading)
      error ??= reading?.error ?? null
      if (reading?.is_withheld !== true) kept.push(bytes)
      if (max !== null && call.counter.isAbove(max)) return { bytes: Buffer.concat(kept), cut: true, error }
    }
    return { bytes: kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept), cut: false, error }
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== null) return
      const comment = Buffer.from(
        dialect.name === 'messages' ? 'event: ping\ndata: {"type": "ping"}\n\n' : ': the model works\n\n',
      )
      controller.enqueue(comment)
      quiet = setInterval(() => controller.enqueue(comment), quietMs)
    },
    async pull(controller) {
      try {
        for (;;) {
          const next = first ?? (await began.pieces.next())
          first = null
          clearInterval(quiet)
          if (next.done === true) {
            if (!frames.isBetween() || (!follower.hasEnded() && follower.finish() === null)) {
              const refusal = {
                status: 502,
                code: 'model_unavailable',
                message: 'The model provider ended its answer in the middle; ask again',
              }
              controller.enqueue(encode(follower.fail(refusal)))
              await failed(refusal.code, 502)
            } else await ended()
            return controller.close()
          }
          began.clock.restart()
          call.firstByte()
          const { bytes, cut, error } = read(next.value)
          if (bytes.byteLength > 0) controller.enqueue(bytes)
          if (error !== null) {
            began.call.abort()
            await failed(error.code, 200)
            return controller.close()
          }
          if (cut) {
            began.call.abort()
            const svc = {
              code: 'budget_exceeded',
              call_id: call.call_id,
              granted_micros: call.granted_micros,
            }
            controller.enqueue(encode(follower.cut({ usage: call.soFar(follower.usage()), svc })))
            await failed('budget_exceeded', 200, 'cut')
            return controller.close()
          }
          if (bytes.byteLength > 0) return
        }
      } catch (error) {
        const refusal = passed.refusalOf(error)
        const isFence = refusal.code === 'call_lost'
        controller.enqueue(encode(follower.fail(refusal)))
        began.call.abort()
        await failed(refusal.code, refusal.status, isFence ? 'cut' : 'fail')
        controller.close()
      }
    },
    async cancel(reason) {
      began.call.abort(reason)
      const said = follower.usage()
      await finish({
        event: 'fail',
        http_status: 499,
        code: 'client_closed',
        usage: said && call.soFar(said),
        left: true,
      })
    },
  })
}
