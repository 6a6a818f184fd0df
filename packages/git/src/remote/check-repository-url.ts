import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isAllowedAddress } from '@svc/access'
import { ServiceError } from '@svc/errors'
import { type ParsedRepositoryUrl, parseRepositoryUrl, type RepositoryAllowance } from './url-policy.ts'

/** Every address a name leads to. */
export type Lookup = (host: string) => Promise<readonly string[]>

export interface CheckedRepositoryUrl extends ParsedRepositoryUrl {
  /** The addresses that were checked; a connection goes to these and to no later answer of the name server. */
  readonly addresses: readonly string[]
}

export const systemLookup: Lookup = async (host) => {
  const answers = await dnsLookup(host, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

/** Refuses a repository that the operator does not allow, by its form or by where its host leads right now. */
export async function checkRepositoryUrl(
  text: string,
  allow: RepositoryAllowance,
  lookup: Lookup = systemLookup,
): Promise<CheckedRepositoryUrl> {
  const parsed = parseRepositoryUrl(text, allow)
  if (parsed.protocol === 'file') return { ...parsed, addresses: [] }
  const addresses = isIP(parsed.host) ? [parsed.host] : await resolve(parsed.host, lookup)
  const allowed = allow.private_addresses ?? false
  if (!addresses.every((address) => isAllowedAddress(address, allowed))) {
    throw new ServiceError(
      'repository_not_allowed',
      'The repository is on a private address, which the platform does not call; give a public one.',
    )
  }
  return { ...parsed, addresses }
}

async function resolve(host: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = await lookup(host).catch((cause: unknown) => {
    throw unresolved(host, cause)
  })
  if (addresses.length === 0) throw unresolved(host)
  return addresses
}

const unresolved = (host: string, cause?: unknown): ServiceError =>
  new ServiceError(
    'git_mirror_unavailable',
    `The repository host ${host} has no address; check its name.`,
    { retry_after: 5 },
    { cause },
  )
