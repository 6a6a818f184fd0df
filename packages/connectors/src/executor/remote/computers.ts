import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { ComputerDoor } from '../../context.ts'
import { executorUnavailable } from '../no-executor.ts'
import type { RemoteOptions } from './remote.ts'
import { signatureHeader, signRequest, timeHeader } from './signature.ts'

const Connection = z.object({ project_id: z.uuid(), connection_id: z.uuid() })

/** The path at which an executor takes the WebSocket of a computer. */
export const computerPath = '/computer'

/** The connection that such a path names; null where it is none. */
export function computerAt(url: string): z.output<typeof Connection> | null {
  const { pathname, searchParams } = new URL(url, 'http://executor')
  if (pathname !== computerPath) return null
  return Connection.safeParse(Object.fromEntries(searchParams)).data ?? null
}

const openMs = 10_000
const passedOn = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'] as const

/** The WebSockets of computers, joined to an executor that runs as a process of its own. */
export function remoteComputers({ url, key }: RemoteOptions): ComputerDoor {
  return async ({ project_id, connection_id }, { request, socket, head }) => {
    const path = `${computerPath}?${new URLSearchParams({ project_id, connection_id })}`
    const time = Math.floor(Date.now() / 1000)
    const headers: Record<string, string> = {
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
      [timeHeader]: String(time),
      [signatureHeader]: signRequest(key, { method: 'GET', path, body: '', time }),
    }
    for (const name of passedOn) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const opened = await open(`${url}${path}`, headers)
    // The computer left meanwhile.
    if (socket.destroyed) return void opened.socket.destroy()
    socket.write(headOf(opened.response))
    join(socket, opened.socket)
    if (opened.head.length > 0) socket.write(opened.head)
    if (head.length > 0) opened.socket.write(head)
  }
}

interface Opened {
  readonly response: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Rejected with `executor_unavailable` where it does not answer with a WebSocket. */
async function open(url: string, headers: Readonly<Record<string, string>>): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(executorUnavailable({ cause }))
    const asked = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, { headers, agent: false })
    asked.setTimeout(openMs, () => asked.destroy(new Error(`No answer in ${openMs} ms`)))
    asked.on('error', fail)
    asked.on('response', (response) => {
      response.resume()
      fail(new Error(`It answered ${response.statusCode}`))
    })
    asked.on('upgrade', (response, socket, head) => {
      socket.setTimeout?.(0)
      resolve({ response, socket, head })
    })
    asked.end()
  })
}

function headOf({ rawHeaders }: IncomingMessage): string {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Bytes of each go to the other, and the end of one is the end of both. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}
