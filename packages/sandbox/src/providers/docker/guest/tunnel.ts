import { connect, type Socket } from 'node:net'
import { authorityText } from '../../../network/authority.ts'
import { readLine } from '../../../network/greeting.ts'

/** A connection to a host and port, made by the platform; throws with the platform's words when it refuses. */
export async function openTunnel(relay: string, host: string, port: number): Promise<Socket> {
  const socket = connect({ path: relay, allowHalfOpen: true })
  socket.write(`to ${authorityText({ host, port })}\n`)
  const answer = await readLine(socket)
  socket.on('error', () => undefined)
  if (answer === 'ok') return socket
  socket.destroy()
  throw new Error(answer?.replace(/^no /, '') ?? 'the platform did not answer')
}
