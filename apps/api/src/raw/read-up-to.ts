/** A sender hears why its body is refused only once it was taken off its hands; up to so many times what is kept. */
const discarded = 8

/** The bytes of a body as they came; not `whole` when there are more than `most`, which are read and dropped. */
export async function readUpTo(
  stream: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (stream === null) return { bytes: new Uint8Array(), whole: true }
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || size > most * discarded) return { bytes: Buffer.concat(chunks), whole: size <= most }
    size += value.byteLength
    if (size <= most) chunks.push(value)
  }
}
