import type { Readable } from 'node:stream'

/** The whole of a body that is no longer than `max_bytes`; null for a longer one, which is left as it was. */
export async function smallBody(
  body: Readable,
  max_bytes: number,
  moved: (bytes: number) => void,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(chunk)
    size += chunk.length
    moved(chunk.length)
    if (size <= max_bytes) continue
    body.unshift(Buffer.concat(chunks))
    return null
  }
  return Buffer.concat(chunks)
}
