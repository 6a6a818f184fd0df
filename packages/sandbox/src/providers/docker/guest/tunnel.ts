import { connect, type Socket } from 'node:net'
import { whileAway } from '@svc/timing'
import { type Authority, authorityText } from '../../../network/authority.ts'
import { EgressRefusal } from '../../../network/egress-refusal.ts'
import { readLine } from '../../../network/read-line.ts'

/**
 * A connection that the platform makes; throws with the platform's words when it refuses. Until it has said that there is
 * one nothing has passed, so while no process of it is there it is asked again, for `wait_ms`.
 */
export function openTunnel(relay: string, target: Authority, wait_ms: number): Promise<Socket> {
  return whileAway(
    wait_ms,
    () => askFor(relay, target),
    (error) => !(error instanceof EgressRefusal),
  )
}

async function askFor(relay: string, target: Authority): Promise<Socket> {
  const socket = connect({ path: relay, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write(`to ${authorityText(target)}\n`)
  const answer = await readLine(socket)
  if (answer === 'ok') return socket
  socket.destroy()
  if (answer === null) throw new Error('the platform did not answer')
  throw new EgressRefusal(answer.replace(/^no /, ''))
}
