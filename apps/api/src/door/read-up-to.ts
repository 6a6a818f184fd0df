import type { IncomingMessage } from 'node:http'

export interface ReadBody {
  readonly bytes: Uint8Array
  /** False when there were more bytes than were asked for; those are read and dropped. */
  readonly whole: boolean
}

/** A sender hears why its body is refused only once all of it was read: up to so many times the size that is kept. */
const discarded = 8

/** The bytes of a body as they came, the first `max` of them. */
export async function readUpTo(stream: ReadableStream<Uint8Array> | null, max: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (stream === null) return { bytes: new Uint8Array(), whole: true }
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || size > max * discarded) return { bytes: Buffer.concat(chunks), whole: size <= max }
    if (size < max) chunks.push(value.subarray(0, max - size))
    size += value.byteLength
  }
}

/** The same straight from the socket: no web stream is made of it on the way. Rejects when the sender leaves before its end. */
export function readIncoming(incoming: IncomingMessage, max: number): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = () => resolve({ bytes: Buffer.concat(chunks), whole: size <= max })
    const take = (chunk: Buffer) => {
      if (size < max) chunks.push(chunk.subarray(0, max - size))
      size += chunk.length
      if (size <= max * discarded) return
      incoming.off('data', take).pause()
      end()
    }
    incoming
      .on('data', take)
      .once('end', end)
      .once('error', reject)
      .once('close', () => reject(new Error('The sender left before the end of the body')))
  })
}
