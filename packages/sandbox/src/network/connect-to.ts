import { connect, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pinnedLookup } from '@svc/access'
import { errorCode } from '../sandbox-error.ts'
import type { Authority } from './authority.ts'

const connectMs = 10_000
/** A platform that starts anew is back by then. */
export const platformTimeoutMs = 30_000
const retryMs = 250

/**
 * A connection to one of the addresses; rejects when none accepts it in time. A refused connection has sent nothing, so
 * it is tried again for as long as `timeout_ms` says.
 */
export async function connectTo(
  target: Authority,
  addresses: readonly string[],
  timeout_ms = 0,
): Promise<Socket> {
  const end = Date.now() + timeout_ms
  for (;;) {
    try {
      return await connectOnce(target, addresses)
    } catch (error) {
      if (!isRefused(error) || Date.now() + retryMs > end) throw error
      await sleep(retryMs)
    }
  }
}

/** Node tries several addresses at once, and tells of all of them. */
function isRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isRefused)
  return errorCode(error) === 'ECONNREFUSED'
}

function connectOnce({ host, port }: Authority, addresses: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      // An address would be connected to as it is; a name makes Node ask the given lookup.
      host: isIP(host) === 0 ? host : (addresses[0] ?? host),
      port,
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      allowHalfOpen: true,
    })
    const timer = setTimeout(() => socket.destroy(new Error('It does not answer')), connectMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject).once('close', () => clearTimeout(timer))
  })
}
