import { once } from 'node:events'
import { createConnection } from 'node:net'

export type Header = readonly [name: string, value: string]

export interface RawRequest {
  /** The request line, such as `POST /v1/webhooks/projects/x/y`. */
  readonly line: string
  readonly headers: readonly Header[]
  /** The bytes after the headers, as they go over the wire. */
  readonly chunks: readonly Uint8Array[]
  /** True when the sender says that nothing more comes. */
  readonly ends?: boolean
}

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends bytes as they are, and reads one answer to its end; null when the connection ends without one. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawAnswer | null> {
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(Buffer.from(`${request.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`, 'latin1'))
  for (const chunk of request.chunks) socket.write(chunk)
  if (request.ends) socket.end()
  let text = ''
  try {
    for await (const data of socket.setEncoding('latin1')) {
      text += String(data)
      const answer = wholeAnswer(text, request.line.startsWith('HEAD '))
      if (answer !== null) return answer
    }
    return null
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

function wholeAnswer(came: string, bodiless: boolean): RawAnswer | null {
  const text = came.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [head, body] = [text.slice(0, end), text.slice(end + 4)]
  const length = bodiless ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  if (body.length < length) return null
  return { status: Number(head.split(' ')[1]), head, body: body.slice(0, length) }
}

export const bytes = (text: string): Buffer => Buffer.from(text)

export const sized = (body: Uint8Array): Header => ['Content-Length', String(body.length)]

export const chunked: Header = ['Transfer-Encoding', 'chunked']

/** The parts as the chunks of a body. */
export const wire = (parts: readonly Uint8Array[]): Uint8Array[] => [
  ...parts.flatMap((part) => [bytes(`${part.length.toString(16)}\r\n`), part, bytes('\r\n')]),
  bytes('0\r\n\r\n'),
]
