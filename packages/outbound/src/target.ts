import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isAllowedAddress, isPublicAddress } from '@svc/access'

/** Addresses that may be asked beside those of the internet. */
export interface OutboundRules {
  /** `SVC_OUTBOUND_ADDRESSES`: with TLS and without. */
  readonly open: readonly string[]
  /** Those of one purpose: with TLS, and without it on this machine itself. */
  readonly private?: readonly string[] | undefined
}

/** Every address that a name leads to. */
export type Lookup = (host: string) => Promise<readonly string[]>

export const lookupAll: Lookup = async (host) =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** The request would have gone to an address that a user may not send the platform to. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
  readonly code = 'address_not_allowed'
}

/** The addresses of `url`, each of which may be asked. Throws `RefusedTarget`, and the error of the name server. */
export async function checkTarget(
  url: URL,
  rules: OutboundRules,
  lookup: Lookup = lookupAll,
): Promise<readonly string[]> {
  requireHttp(url)
  return allowedAddresses(hostOf(url), { secure: url.protocol === 'https:' }, rules, lookup)
}

/**
 * The same for an address when a person gives it: a name that leads nowhere at this moment is taken, as each request asks anew,
 * but none without TLS, which only known addresses are asked without.
 */
export async function checkGivenTarget(
  url: URL,
  rules: OutboundRules,
  lookup: Lookup = lookupAll,
): Promise<void> {
  try {
    await checkTarget(url, rules, lookup)
  } catch (error) {
    if (error instanceof RefusedTarget) throw error
    if (url.protocol === 'http:')
      throw new RefusedTarget(`${hostOf(url)} leads nowhere now, and is not asked without TLS`)
  }
}

/** The addresses of a host, each of which may be reached, with TLS or without. Throws as `checkTarget` does. */
export async function allowedAddresses(
  host: string,
  { secure }: { readonly secure: boolean },
  rules: OutboundRules,
  lookup: Lookup = lookupAll,
): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await lookup(host)
  requireAllowed(host, { addresses, secure }, rules)
  return addresses
}

/** Throws `RefusedTarget` for `file:`, `data:` and what else is no address of a server. */
export function requireHttp(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RefusedTarget(`${url.protocol} addresses are not asked; give one with https:`)
}

/** Throws `RefusedTarget` unless every address may be asked. */
export function requireAllowed(
  host: string,
  { addresses, secure }: { readonly addresses: readonly string[]; readonly secure: boolean },
  { open, private: ours = [] }: OutboundRules,
): void {
  const allowed = [...open, ...ours]
  if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, allowed)))
    throw new RefusedTarget(`${host} is at an address that is not public`)
  if (!secure && !addresses.every((address) => isWithin(address, open) || isWithin(address, loopback)))
    throw new RefusedTarget(`${host} is not asked without TLS`)
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

const loopback = ['127.0.0.0/8', '::1/128']
const isWithin = (address: string, ranges: readonly string[]) =>
  !isPublicAddress(address) && isAllowedAddress(address, ranges)
