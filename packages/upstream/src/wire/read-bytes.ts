/** The body up to `limit` bytes. The rest is not read, and the connection with it is given up. */
export async function readBytes(
  { body }: Response,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly whole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (body === null) return { bytes: Buffer.alloc(0), whole: true }
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { bytes: Buffer.concat(chunks, size), whole: true }
    const room = limit - size
    chunks.push(value.length > room ? value.subarray(0, room) : value)
    size += Math.min(value.length, room)
    if (value.length <= room) continue
    await reader.cancel().catch(() => undefined)
    return { bytes: Buffer.concat(chunks, size), whole: false }
  }
}
