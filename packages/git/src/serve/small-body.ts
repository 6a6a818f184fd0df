import type { Readable } from 'node:stream'
import { collect } from './collect.ts'

/** The whole of a body that is no longer than `max_bytes`; null for a longer one, which is left as it was. */
export async function smallBody(
  body: Readable,
  max_bytes: number,
  moved: (bytes: number) => void,
): Promise<Buffer | null> {
  let whole = (): Buffer => Buffer.alloc(0)
  for await (const { size, bytes } of collect(body, moved)) {
    if (size > max_bytes) {
      body.unshift(bytes())
      return null
    }
    whole = bytes
  }
  return whole()
}
