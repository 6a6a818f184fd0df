/**
 * The request with a body of at most `max` bytes; null where there is more. A body that comes without a length is counted
 * as it arrives, and the request is then built anew, because Node refuses to copy the lazy one of the HTTP adapter.
 */
export async function boundedRequest(request: Request, max: number): Promise<Request | null> {
  const { headers, method } = request
  const length = headers.get('Content-Length')
  if (length !== null && Number(length) > max) return null
  const isCounted = length !== null && !headers.has('Transfer-Encoding')
  if (isCounted || method === 'GET' || method === 'HEAD' || request.body === null) return request
  const body = await readWithin(request.body, max)
  if (body === null) return null
  const kept = new Headers(headers)
  if (body.byteLength === 0) kept.delete('Content-Type')
  return new Request(request.url, {
    method,
    headers: kept,
    signal: request.signal,
    ...(body.byteLength === 0 ? {} : { body }),
  })
}

/** The rest of a body that is too large is left unread: cancelling it would cut the connection before the answer. */
async function readWithin(
  stream: ReadableStream<Uint8Array>,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joined(chunks, size)
    size += value.byteLength
    if (size > max) return null
    chunks.push(value)
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
