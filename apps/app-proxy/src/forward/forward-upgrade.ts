import { type IncomingMessage, request as ask } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import { awayHeader, type Front } from '@svc/sandbox/front'
import type { Forwarded } from './forward-request.ts'
import { answerHeaders, upstreamHeaders, upstreamPath, type VisitFacts } from './upstream-headers.ts'

/** With the status that the visitor was given; `ended` once nothing more goes to them. */
export type Upgraded =
  | { readonly how: Exclude<Forwarded, 'answered'> }
  | { readonly how: 'answered'; readonly status: number; readonly ended: Promise<void> }

/**
 * Asks an app for another protocol on a visitor's connection. Only once the app agreed are bytes passed on unread, so
 * that nothing after a refused handshake reaches it. It answers nothing by itself.
 */
export async function forwardUpgrade(
  front: Front,
  request: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  facts: VisitFacts,
): Promise<Upgraded> {
  const way = await front.connect().catch(() => null)
  if (way === null) return { how: 'unsent' }
  return new Promise((done) => {
    const asked = ask({
      createConnection: () => way,
      method: request.method,
      path: upstreamPath(request.url ?? '/'),
      headers: {
        ...upstreamHeaders(request, facts),
        connection: 'Upgrade',
        upgrade: request.headers.upgrade,
      },
    })
    const leave = () => asked.destroy()
    socket.once('close', leave)
    asked.once('upgrade', (answer, upstream, first) => {
      socket.off('close', leave)
      const headers = { ...answerHeaders(answer.headers, request.headers.host ?? '') }
      socket.write(
        headOf(answer, { ...headers, connection: 'Upgrade', upgrade: answer.headers.upgrade ?? '' }),
      )
      upstream.write(head)
      socket.write(first)
      pipeline(socket, upstream, () => upstream.destroy())
      const ended = new Promise<void>((end) =>
        pipeline(upstream, socket, () => {
          socket.destroy()
          end()
        }),
      )
      done({ how: 'answered', status: 101, ended })
    })
    asked.once('response', (answer) => {
      if (answer.headers[awayHeader] !== undefined) {
        answer.destroy()
        return done({ how: 'unsent' })
      }
      socket.write(
        headOf(answer, { ...answerHeaders(answer.headers, request.headers.host ?? ''), connection: 'close' }),
      )
      const ended = new Promise<void>((end) => pipeline(answer, socket, () => end()))
      done({ how: 'answered', status: answer.statusCode ?? 502, ended })
    })
    asked.once('error', () => done({ how: 'lost' }))
    asked.end()
  })
}

function headOf(
  { statusCode = 502, statusMessage = '' }: IncomingMessage,
  headers: Readonly<Record<string, string | string[]>>,
): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}\r\n`),
  )
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}
