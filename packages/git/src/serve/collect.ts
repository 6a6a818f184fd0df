import type { Readable } from 'node:stream'

/** The part of a body that has come so far. */
export interface Collected {
  readonly size: number
  bytes(): Buffer
}

/** A body as it comes, all of it up to each chunk. A reader that stops early leaves the stream open. */
export async function* collect(
  body: Readable,
  moved: (bytes: number) => void,
): AsyncGenerator<Collected, void, undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(chunk)
    size += chunk.length
    moved(chunk.length)
    yield { size, bytes: () => Buffer.concat(chunks) }
  }
}
