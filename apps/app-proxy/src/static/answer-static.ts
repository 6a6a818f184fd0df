import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refuse, type Refusal } from '../refuse.ts'
import { type ByteSpan, chooseVariant, rangeOf, type ReleaseFile } from './choose-variant.ts'
import { findFile } from './find-file.ts'

/** A static release: its files by path, and their bytes by digest. */
export interface Site {
  readonly files: ReadonlyMap<string, ReleaseFile>
  readonly spa: boolean
  /** True when caches between may keep it for all. */
  readonly shared: boolean
  /** Bytes at hand, or as they are read; null when they are not there. A file holds at most `bytes`. */
  read(sha256: string, bytes: number, span?: ByteSpan): Promise<Buffer | Readable | null>
  /** A file that was named by its bytes in a release shown shortly before: an open tab survives the next one. */
  earlier?(path: string): Promise<ReleaseFile | undefined>
}

const notAsked: Refusal = {
  code: 'method_not_allowed',
  message: 'This app is made of files, and changes nothing. Ask for one with GET or HEAD.',
}

/** Answers with a file of a static release. */
export async function answerStatic(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  response.setHeader('x-request-id', id)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return refuse(request, response, notAsked, id)
  }
  const found = findFile(site.files, request.url ?? '/', site.spa)
  if (found.kind === 'redirect')
    return void response.writeHead(308, { location: found.to, 'cache-control': 'no-store' }).end()
  const lost = found.kind === 'missing' || found.status === 404
  const earlier = lost ? await site.earlier?.(nameOf(request.url)) : undefined
  if (earlier !== undefined) return answerFile(site, earlier, 200, request, response)
  const file = found.kind === 'file' ? site.files.get(found.path) : undefined
  if (found.kind === 'missing' || file === undefined)
    return refuse(request, response, { code: 'not_found', message: 'This site has no such page.' }, id)
  await answerFile(site, file, found.status, request, response)
}

function nameOf(url = '/'): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURIComponent(path.slice(1))
  } catch {
    return ''
  }
}

async function answerFile(
  site: Site,
  file: ReleaseFile,
  status: 200 | 404,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, method } = request
  const whole = `"${file.sha256}"`
  const may_part = status === 200 && (headers['if-range'] ?? whole) === whole
  const range = may_part ? rangeOf(headers.range, file.bytes) : null
  const { sha256, encoding } = chooseVariant(file, headers['accept-encoding'], range !== null)
  const etag = `"${sha256}"`
  const lifetime = file.hashed && status === 200 ? 'max-age=31536000, immutable' : 'no-cache'
  const head = {
    etag,
    vary: 'Accept-Encoding',
    'cache-control': `${site.shared ? 'public' : 'private'}, ${lifetime}`,
    'x-content-type-options': 'nosniff',
  }
  if (status === 200 && knows(headers['if-none-match'], etag)) return void response.writeHead(304, head).end()
  if (range === 'outside')
    return void response.writeHead(416, { ...head, 'content-range': `bytes */${file.bytes}` }).end()
  const body = await site.read(sha256, file.bytes, range ?? undefined)
  if (body === null) throw new Error(`The object store has no bytes ${sha256} of a release`)
  const length = range === null ? file.bytes : range.last - range.first + 1
  response.writeHead(range === null ? status : 206, {
    ...head,
    'content-type': file.content_type,
    'accept-ranges': 'bytes',
    ...(encoding === null ? { 'content-length': length } : { 'content-encoding': encoding }),
    ...(range === null ? {} : { 'content-range': `bytes ${range.first}-${range.last}/${file.bytes}` }),
  })
  if (Buffer.isBuffer(body)) return void response.end(method === 'HEAD' ? undefined : body)
  if (method === 'HEAD') {
    body.destroy()
    response.end()
  } else await pipeline(body, response).catch(leftAlone)
}

/** A visitor who leaves in the middle is no failure. */
function leftAlone(error: unknown): void {
  if (!['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(Object(error).code)) throw error
}

function knows(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}
