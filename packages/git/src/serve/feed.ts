import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '@svc/errors'

export interface FeedOptions {
  readonly gzip: boolean
  /** The max number of unpacked bytes. */
  readonly max_bytes: number
  /** Called with each chunk as it came over the wire. */
  readonly moved?: (bytes: number) => void
}

/**
 * Pours a request body into a child. A child that stops reading early has its reasons and its answer: the rest of
 * the body is read and dropped, so that the connection survives to carry that answer.
 */
export async function feed(input: Readable, sink: Writable, options: FeedOptions): Promise<void> {
  const { gzip, max_bytes, moved } = options
  const unpacked = gzip ? unpack(input) : input
  if (gzip) input.on('data', (chunk: Buffer) => moved?.(chunk.length))
  const closed = new Promise<void>((resolve) => sink.once('close', resolve))
  sink.on('error', () => {})
  let size = 0
  try {
    for await (const chunk of unpacked.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) continue
      size += chunk.length
      if (!gzip) moved?.(chunk.length)
      if (size > max_bytes)
        throw new ServiceError(
          'payload_too_large',
          'The request is larger than is allowed; push fewer commits at once.',
        )
      if (sink.destroyed || sink.write(chunk)) continue
      await Promise.race([once(sink, 'drain').catch(() => {}), closed])
    }
    sink.end()
  } finally {
    if (unpacked !== input) unpacked.destroy()
  }
}

/** The content of a compressed body. A body that cannot be unpacked fails as the caller's mistake. */
export function unpack(input: Readable): Readable {
  const gunzip = createGunzip()
  const unpacked = new PassThrough()
  gunzip.once('error', (error) => unpacked.destroy(isOfZlib(error) ? notGzip(error) : error))
  unpacked.once('close', () => gunzip.destroy())
  input.once('error', (error) => gunzip.destroy(error))
  input.once('close', () => {
    if (!input.readableEnded) gunzip.destroy(new Error('the client left'))
  })
  return input.pipe(gunzip).pipe(unpacked)
}

const isOfZlib = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

const notGzip = (cause: Error): ServiceError =>
  new ServiceError(
    'invalid_request',
    'The body is said to be gzip and is not, or it was cut; send it whole, or without Content-Encoding',
    {},
    { cause },
  )
