import { connect, type LookupFunction, type Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Authority } from './authority.ts'

const connectMs = 10_000

/** Answers every name with addresses that were checked before. */
export function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    const [first] = answers
    if (first === undefined) return answer(new Error('There is no such host'), [])
    if (options.all === true) return answer(null, answers)
    answer(null, first.address, first.family)
  }
}

/** A connection to one of the addresses; rejects when none accepts it in time. */
export function connectTo({ host, port }: Authority, addresses: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      // An address would be connected to as it is; a name makes Node ask the given lookup.
      host: isIP(host) === 0 ? host : (addresses[0] ?? host),
      port,
      lookup: pinned(addresses),
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
