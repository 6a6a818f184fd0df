import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const v4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Everything of IPv6 that is not globally routed, and what only wraps an address of IPv4. */
const v6 = [
  ['::', 8],
  ['64:ff9b::', 16],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const

/** Apart, because a list holds addresses of IPv4 against its subnets of IPv6 as well. */
const closed4 = new BlockList()
const closed6 = new BlockList()
for (const [net, prefix] of v4) closed4.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of v6) closed6.addSubnet(net, prefix, 'ipv6')

/** Whether an address is one of the internet, and none of this machine's own. */
export function isPublicAddress(address: string, own: ReadonlySet<string> = ownAddresses()): boolean {
  const family = isIP(address)
  if (family === 0 || own.has(address)) return false
  return family === 4 ? !closed4.check(address, 'ipv4') : !closed6.check(address, 'ipv6')
}

/** A service that listens on every address answers at the machine's public one too, past its firewall. */
function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address)),
  )
}
