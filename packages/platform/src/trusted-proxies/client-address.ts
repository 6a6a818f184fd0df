import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** True when an address belongs to one of the trusted proxies in front. */
export type IsProxy = (address: string) => boolean

/** Without a proxy in front, a client's address is that of its connection alone. */
export const noProxy: IsProxy = () => false

/** Addresses and ranges: `10.0.0.0/8, 192.0.2.7, fd00::/8`. Throws on anything else. */
export function trustedProxies(list: readonly string[]): IsProxy {
  // Asked for each request: most have none.
  if (list.length === 0) return noProxy
  const ranges = new BlockList()
  for (const entry of list) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const type = family(address)
    if (type === null || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix)))
      throw new TypeError(`${entry} is neither an address nor a range such as 10.0.0.0/8`)
    if (prefix === undefined) ranges.addAddress(address, type)
    else ranges.addSubnet(address, Number(prefix), type)
  }
  return (address) => {
    const type = family(address)
    return type !== null && ranges.check(address, type)
  }
}

/**
 * The client's address: that of the connection or, behind trusted proxies, the last address in X-Forwarded-For that
 * is none of them. An address that the client itself writes there stands further left and is never believed.
 */
export function clientAddress(req: IncomingMessage, isProxy: IsProxy): string | null {
  const peer = plainAddress(req.socket.remoteAddress ?? '')
  if (peer === null || !isProxy(peer)) return peer
  const header = req.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  let nearest = peer
  for (const hop of hops.reverse()) {
    const address = plainAddress(hop.trim())
    if (address === null) return nearest
    nearest = address
    if (!isProxy(address)) return address
  }
  return nearest
}

/** An IPv4 address that a dual-stack socket writes as IPv6 is that IPv4 address; a port is dropped. */
function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text
  const address = text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address.replace(/%.*$/, '')
  return isIP(plain) === 0 ? null : plain
}

function family(address: string): 'ipv4' | 'ipv6' | null {
  if (isIP(address) === 0) return null
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
