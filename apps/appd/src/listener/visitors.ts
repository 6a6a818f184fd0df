import type { Socket } from 'node:net'
import { awayHeader, awayValue, joinSockets, type ProgramState } from '@svc/sandbox/guest'
import { connectLoopback } from '../network/connect-loopback.ts'

const away = [
  'HTTP/1.1 503 Service Unavailable',
  `${awayHeader}: ${awayValue}`,
  'content-length: 0',
  'connection: close',
  '',
  '',
].join('\r\n')

const awayMs = 5_000

/** The connections of those who visit the program. */
export interface Visitors {
  /** Joins a connection with the program; where that does not listen, it is answered with `awayHeader`. */
  join(socket: Socket): Promise<void>
  facts(): Pick<ProgramState, 'connections' | 'last_byte_at'>
}

export function createVisitors(portOf: () => number | null): Visitors {
  let connections = 0
  let lastByte: number | null = null
  const mark = (): void => {
    lastByte = Date.now()
  }
  return {
    join: async (socket) => {
      connections += 1
      mark()
      socket.once('close', () => (connections -= 1))
      const port = portOf()
      const program = port === null ? null : await connectLoopback(port).catch(() => null)
      if (program === null) {
        // The request may still be coming; an answer that is cut off by that would be none.
        socket.resume().setTimeout(awayMs, () => socket.destroy())
        return void socket.end(away)
      }
      socket.setNoDelay(true)
      joinSockets(socket, program)
      socket.on('data', mark)
      program.on('data', mark)
    },
    facts: () => ({
      connections,
      last_byte_at: lastByte === null ? null : new Date(lastByte).toISOString(),
    }),
  }
}
