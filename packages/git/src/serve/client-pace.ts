import type { Readable, Writable } from 'node:stream'

/** The least that a client has to move while git waits for it; a slower one is dropped. */
export interface ClientPace {
  /** Time spent waiting for the client, in milliseconds; git's own work does not count. */
  readonly window_ms: number
  /** Bytes that such a time has to move, both ways together. */
  readonly min_bytes: number
}

/** A minute of waiting at less than half a kilobyte a second. */
export const defaultPace: ClientPace = { window_ms: 60_000, min_bytes: 30_000 }

/** The failure of an exchange that its client held up. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'

  constructor() {
    super('the client was too slow')
  }
}

export interface WatchedExchange {
  /** The request's body; null when there is none to wait for. */
  readonly input: Readable | null
  /** The stream that the body goes to: while this is full, it is git that is slow. */
  readonly sink?: Writable
  readonly output: Writable
}

export interface PaceWatch {
  moved(bytes: number): void
  end(): void
}

const looks = 10

/** Calls `drop` once a client has kept git waiting for a whole window and moved next to nothing in it. */
export function watchPace(exchange: WatchedExchange, pace: ClientPace, drop: () => void): PaceWatch {
  const { input, sink, output } = exchange
  const owesInput = () =>
    input !== null && !input.readableEnded && !input.destroyed && !sink?.writableNeedDrain
  let waited = 0
  let bytes = 0
  const look = () => {
    if (!owesInput() && !output.writableNeedDrain) return
    waited += 1
    if (waited < looks) return
    if (bytes < pace.min_bytes) drop()
    waited = 0
    bytes = 0
  }
  const timer = setInterval(look, pace.window_ms / looks)
  return {
    moved: (count) => void (bytes += count),
    end: () => clearInterval(timer),
  }
}

/** Work that is given up once the client keeps it waiting for too long, as a SlowClient, or the signal ends it. */
export async function inPace<T>(
  exchange: WatchedExchange & { readonly signal: AbortSignal | undefined },
  pace: ClientPace,
  work: (moved: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const { promise, reject } = withResolvers<T>()
  const watch = watchPace(exchange, pace, () => reject(new SlowClient()))
  const abort = () => reject(exchange.signal?.reason)
  exchange.signal?.addEventListener('abort', abort, { once: true })
  try {
    exchange.signal?.throwIfAborted()
    return await Promise.race([work(watch.moved), promise])
  } finally {
    exchange.signal?.removeEventListener('abort', abort)
    watch.end()
  }
}

/** The promise and reject of `Promise.withResolvers`, which later versions of Node have. */
function withResolvers<T>(): { readonly promise: Promise<T>; reject(reason: unknown): void } {
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((_, no) => (reject = no))
  return { promise, reject }
}

/** Resolves once the client has read all but a buffer's worth, or is gone. */
export const drained = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (!output.writableNeedDrain || output.destroyed) return resolve()
    output.once('drain', resolve).once('close', resolve)
  })
