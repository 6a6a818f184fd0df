import { isIP } from 'node:net'
import { isLocalName, isLoopbackAddress } from '@svc/facts'
import { type Authority, authorityText } from '../../../network/authority.ts'

/** A socket that the sandbox listens on and hands to the relay. */
export interface Forward {
  readonly address: string
  readonly port: number
  readonly host: string
}

/**
 * In a sandbox without a network each host is an address of its own loopback device, so that programs and certificates
 * meet the name they know. An address of another machine cannot be one; the proxy is all that reaches it.
 */
export function hostAddresses(destinations: readonly Authority[]): Readonly<Record<string, string>> {
  const names = [...new Set(destinations.map(({ host }) => host))].filter((host) => isIP(host) === 0)
  const others = names.filter((host) => !isLocalName(host))
  return Object.fromEntries(others.map((host, index) => [host, `127.0.1.${index + 1}`]))
}

export function forwardsOf(
  destinations: readonly Authority[],
  hosts: Readonly<Record<string, string>>,
): readonly Forward[] {
  return destinations.flatMap(({ host, port }) => {
    const address = isLocalName(host) ? '127.0.0.1' : isLoopbackAddress(host) ? host : hosts[host]
    return address === undefined ? [] : [{ address, port, host }]
  })
}

/**
 * The wanted destinations to which a sandbox that was started for others has no way. The proxy leads to every host
 * without an address of the sandbox's own; programs do not ask the proxy for names that have one.
 */
export function unreached(
  wanted: readonly Authority[],
  started: {
    readonly initial: readonly Authority[]
    readonly hosts: Readonly<Record<string, string>>
    readonly proxied: boolean
  },
): readonly Authority[] {
  const { initial, hosts, proxied } = started
  const open = new Set(forwardsOf(initial, hosts).map(authorityText))
  const isOwn = (host: string) => host in hosts || isLocalName(host) || isLoopbackAddress(host)
  return wanted.filter((one) => !open.has(authorityText(one)) && (!proxied || isOwn(one.host)))
}

/** An address that nothing in a sandbox can stand for. */
export function isForeignAddress(host: string): boolean {
  return isIP(host) !== 0 && !isLoopbackAddress(host)
}

/** The daemon's own address: the usual one, unless the platform is called at a port of the daemon there. */
export function daemonAddress(forwards: readonly Forward[], ports: readonly number[]): string {
  const taken = forwards.some(({ address, port }) => address === '127.0.0.1' && ports.includes(port))
  return taken ? '127.0.0.2' : '127.0.0.1'
}
