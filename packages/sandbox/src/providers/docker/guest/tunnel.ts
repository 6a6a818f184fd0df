import { connect, type Socket } from 'node:net'
import { type Authority, authorityText } from '../../../network/authority.ts'
import { EgressRefusal } from '../../../network/egress-refusal.ts'
import { readLine } from '../../../network/read-line.ts'

/** A connection that the platform makes; throws with the platform's words when it refuses. */
export async function openTunnel(relay: string, target: Authority): Promise<Socket> {
  const socket = connect({ path: relay, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write(`to ${authorityText(target)}\n`)
  const answer = await readLine(socket)
  if (answer === 'ok') return socket
  socket.destroy()
  if (answer === null) throw new Error('the platform did not answer')
  throw new EgressRefusal(answer.replace(/^no /, ''))
}
