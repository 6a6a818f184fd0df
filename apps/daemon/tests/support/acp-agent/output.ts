import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Output {
  /** The messages of the protocol, a line in each chunk. */
  readonly stream: WritableStream<Uint8Array>
  /** Bytes beside the protocol. Messages wait until all pieces are written, with a pause between two pieces. */
  raw(pieces: readonly string[]): Promise<void>
}

/** The one writer of standard output, so that bytes of a fault never fall into a message by chance. */
export function createOutput(target: Writable): Output {
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work)
    return last
  }
  const write = (bytes: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => target.write(bytes, () => resolve()))
  return {
    stream: new WritableStream({ write: (bytes) => inTurn(() => write(bytes)) }),
    raw: (pieces) =>
      inTurn(async () => {
        for (const [index, piece] of pieces.entries()) {
          if (index > 0) await sleep(50)
          await write(piece)
        }
      }),
  }
}
