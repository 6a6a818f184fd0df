import type { Readable, Writable } from 'node:stream'

/** How little a client may move while git waits for it, before it is dropped. */
export interface ClientPace {
  /** Time spent waiting for the client, in milliseconds; git's own work does not count. */
  readonly window_ms: number
  /** Bytes that such a time has to move, both ways together. */
  readonly min_bytes: number
}

/** A minute of waiting at less than half a kilobyte a second. */
export const defaultPace: ClientPace = { window_ms: 60_000, min_bytes: 30_000 }

/** Why an exchange ended that its client held up. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'

  constructor() {
    super('the client was too slow')
  }
}

export interface WatchedExchange {
  /** The request's body; null when there is none to wait for. */
  readonly input: Readable | null
  /** Where the body goes: while this is full, it is git that is slow. */
  readonly sink: Writable
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
    input !== null && !input.readableEnded && !input.destroyed && !sink.writableNeedDrain
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
