import { isIPv6, type LookupFunction } from 'node:net'

/** A lookup for a connection that answers with the addresses that were checked. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  return (_, options, callback) => answerWith(addresses, options.all === true, callback)
}

export function answerWith(
  addresses: readonly string[],
  all: boolean,
  callback: Parameters<LookupFunction>[2],
): void {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const [first] = known
  if (first === undefined) callback(new Error('no address was checked'), '', 4)
  else if (all) callback(null, known)
  else callback(null, first.address, first.family)
}
