/** The bytes of a stream in parts of this size; the last one is what is left. */
export async function* inParts(
  stream: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    held.push(chunk)
    size += chunk.byteLength
    if (size < bytes) continue
    let whole = Buffer.concat(held)
    for (; whole.byteLength >= bytes; whole = whole.subarray(bytes)) yield whole.subarray(0, bytes)
    held = [whole]
    size = whole.byteLength
  }
  if (size > 0) yield Buffer.concat(held)
  return undefined
}
