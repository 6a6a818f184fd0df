import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'

/**
 * Bodies are JSON documents held in memory, so they are small. One that comes without a length is counted as it
 * arrives; the request is then built anew, because Node refuses to copy the lazy one of the HTTP adapter.
 */
export function bodyLimit() {
  return createMiddleware<AppEnv>(async (c, next) => {
    // A webhook says first who sent it, and counts its bytes itself.
    if (c.req.path.startsWith('/v1/webhooks/')) return next()
    const { headers } = c.req.raw
    const length = headers.get('Content-Length')
    if (length !== null && Number(length) > limits.jsonBodyBytes) throw tooLarge()
    const counted = length !== null && !headers.has('Transfer-Encoding')
    const sent = c.req.method !== 'GET' && c.req.method !== 'HEAD'
    if (sent && !counted && c.req.raw.body !== null) {
      const body = await readWithin(c.req.raw.body, limits.jsonBodyBytes)
      const kept = new Headers(headers)
      if (body.byteLength === 0) kept.delete('Content-Type')
      c.req.raw = new Request(c.req.url, {
        method: c.req.method,
        headers: kept,
        ...(body.byteLength === 0 ? {} : { body }),
      })
    }
    await next()
  })
}

/** The rest of a body that is too large is left unread: cancelling it would cut the connection before the answer. */
async function readWithin(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Uint8Array.from(Buffer.concat(chunks))
    size += value.byteLength
    if (size > max) throw tooLarge()
    chunks.push(value)
  }
}

function tooLarge(): ServiceError {
  return new ServiceError('payload_too_large', `The body is larger than ${limits.jsonBodyBytes} bytes`)
}
