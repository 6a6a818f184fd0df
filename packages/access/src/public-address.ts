import { BlockList, isIP } from 'node:net'

export interface PublicRange {
  readonly cidr: string
  readonly except: readonly string[]
}

/**
 * The internet: two networks without their special-purpose ranges (IANA registries), which nothing on the internet has
 * or which carry an address of another kind within. Outside 2000::/3 nothing of version 6 is public.
 */
export const publicRanges: { readonly v4: PublicRange; readonly v6: PublicRange } = {
  v4: {
    cidr: '0.0.0.0/0',
    except: [
      '0.0.0.0/8',
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '192.168.0.0/16',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/4',
      '240.0.0.0/4',
    ],
  },
  v6: { cidr: '2000::/3', except: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] },
}

const closedV4 = rangeList(publicRanges.v4.except)
const closedV6 = rangeList(publicRanges.v6.except)
const globalV6 = rangeList([publicRanges.v6.cidr])

/** True when an address is one of the internet. False for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closedV4.check(address, 'ipv4')
    case 6:
      return globalV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Is the address public, or within what the operator allows: all others too, or these ranges? */
export function isAllowedAddress(address: string, allowed: boolean | readonly string[]): boolean {
  if (allowed === true || isPublicAddress(address)) return true
  return allowed !== false && rangeList(allowed).check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function rangeList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}
