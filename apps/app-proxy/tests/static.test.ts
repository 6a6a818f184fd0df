import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { createLogger } from '@svc/boot'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RunningAppProxy, serveVisits } from '../src/serve-visits.ts'
import type { ReleaseFile } from '../src/static/choose-variant.ts'

const objects = new Map<string, Buffer>()

function put(bytes: Buffer): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  objects.set(sha256, bytes)
  return sha256
}

function fileOf(text: string, content_type: string, hashed = false): ReleaseFile {
  const bytes = Buffer.from(text)
  return {
    sha256: put(bytes),
    bytes: bytes.length,
    content_type,
    br_sha256: text.length > 1000 ? put(brotliCompressSync(bytes)) : null,
    gzip_sha256: null,
    hashed,
  }
}

const long = 'long '.repeat(1000)
const files = new Map([
  ['index.html', fileOf('<h1>Shop</h1>', 'text/html')],
  ['404.html', fileOf('<h1>Not here</h1>', 'text/html')],
  ['docs/index.html', fileOf(long, 'text/html')],
  ['app-1a2b3c4d.js', fileOf('0123456789', 'text/javascript', true)],
])
let proxy: RunningAppProxy

beforeEach(async () => {
  const site = {
    files,
    spa: false,
    shared: false,
    read: async (
      sha256: string,
      _bytes: number,
      span?: { readonly first: number; readonly last: number },
    ) => {
      const bytes = objects.get(sha256)
      if (bytes === undefined) return null
      return Readable.from([bytes.subarray(span?.first ?? 0, (span?.last ?? bytes.length) + 1)])
    },
  }
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const find = async () => ({ kind: 'site', site }) as const
  proxy = await serveVisits({ log, find }, { host: '127.0.0.1', port: 0 })
})

afterEach(() => proxy.close(AbortSignal.abort()))

/** Asks without what fetch adds and unpacks by itself. */
async function visit(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const [answer] = await once(
    request({ port: proxy.port, path, headers, method, agent: false }).end(),
    'response',
  )
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

it('serves a page, and says nothing new of one that is known', async () => {
  const page = await visit('/')
  expect([page.status, String(page.body)]).toEqual([200, '<h1>Shop</h1>'])
  expect(page.headers).toMatchObject({
    'content-type': 'text/html',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  const again = await visit('/', { 'if-none-match': `W/"x", ${page.headers.etag}` })
  expect([again.status, again.body.length]).toEqual([304, 0])
})

it('sends packed bytes under a name of their own to visitors who take them', async () => {
  const packed = await visit('/docs/', { 'accept-encoding': 'gzip;q=0.5, br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(String(brotliDecompressSync(packed.body))).toBe(long)
  const plain = await visit('/docs/', { 'accept-encoding': 'br;q=0' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers.etag).not.toBe(packed.headers.etag)
})

it('sends a part, and refuses one that is outside', async () => {
  const part = await visit('/app-1a2b3c4d.js', { range: 'bytes=2-4' })
  expect([part.status, String(part.body), part.headers['content-range']]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ])
  expect(part.headers['cache-control']).toBe('private, max-age=31536000, immutable')
  expect(String((await visit('/app-1a2b3c4d.js', { range: 'bytes=-3' })).body)).toBe('789')
  expect((await visit('/app-1a2b3c4d.js', { range: 'bytes=10-' })).status).toBe(416)
  const changed = await visit('/app-1a2b3c4d.js', { range: 'bytes=2-4', 'if-range': '"old"' })
  expect([changed.status, String(changed.body)]).toEqual([200, '0123456789'])
})

it('answers the rest as a site does', async () => {
  expect([(await visit('/gone')).status, String((await visit('/gone')).body)]).toEqual([
    404,
    '<h1>Not here</h1>',
  ])
  expect(await visit('/docs?a=1')).toMatchObject({ status: 308, headers: { location: '/docs/?a=1' } })
  const posted = await visit('/', {}, 'POST')
  expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' } })
  expect(JSON.parse(String(posted.body))).toMatchObject({ status: 405, code: 'method_not_allowed' })
  const head = await visit('/', {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '13', 0])
})
