import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../parts.ts'
import { acceptedCoding, type Coding } from './accepted-coding.ts'

/** The least length that is compressed: below it more time is spent than saved. */
const fromBytes = 2_048

const byBrotli = promisify(brotliCompress)
const byGzip = promisify(gzip)

const compress = (coding: Coding, content: Buffer): Promise<Buffer> =>
  coding === 'br'
    ? byBrotli(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 4,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      })
    : byGzip(content)

/**
 * Compresses what is read as JSON. New credentials are handed out by writes, by the sign-in and to sandboxes alone: none of
 * these is compressed, so that the length of an answer tells nothing of a secret beside a text that others chose. An event
 * stream is no JSON.
 */
export function compressJson() {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const { method, path } = c.req
    if (method !== 'GET' || path.startsWith('/v1/auth/') || c.get('principal')?.type === 'sandbox') return
    const { headers, status } = c.res
    if (status !== 200 || headers.get('content-type')?.startsWith('application/json') !== true) return
    headers.append('Vary', 'Accept-Encoding')
    const coding = acceptedCoding(c.req.header('Accept-Encoding'))
    if (coding === null || headers.has('content-encoding')) return
    const content = Buffer.from(await c.res.arrayBuffer())
    const kept = new Headers(headers)
    if (content.length < fromBytes) {
      c.res = new Response(content, { status, headers: kept })
      return
    }
    kept.set('Content-Encoding', coding)
    kept.delete('Content-Length')
    const body = await compress(coding, content)
    c.res = undefined
    c.res = new Response(new Uint8Array(body), { status, headers: kept })
  })
}
