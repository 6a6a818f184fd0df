/** The whole of a body; ends it and throws as soon as it is too long. */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  max_bytes: number,
  refusal: () => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop ends the body.
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > max_bytes) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
