import { quietMs } from './pass-stream.ts'

export interface FirstPiece {
  /** Null where none came in the time for which a client is left waiting. */
  readonly first: IteratorResult<Uint8Array> | null
  /** The pieces that follow. */
  readonly pieces: AsyncIterator<Uint8Array>
}

/** Waits for the first piece of an answer: until it is there, another candidate may still be asked. */
export async function firstPiece(pieces: AsyncIterator<Uint8Array>): Promise<FirstPiece> {
  const coming = pieces.next()
  const first = await Promise.race([coming, quiet()])
  if (first !== null) return { first, pieces }
  let taken = false
  const next = () => {
    if (taken) return pieces.next()
    taken = true
    return coming
  }
  return { first, pieces: { next } }
}

/** Null once a first piece has been waited for. */
function quiet(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, quietMs, null).unref())
}
