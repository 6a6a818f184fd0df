import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from '@svc/access'
import { type Authority, authorityOf, authorityText } from './authority.ts'
import { type connectTo, platformTimeoutMs } from './connect-to.ts'
import type { Reach } from './reach.ts'

export type Lookup = (host: string) => Promise<readonly string[]>

export const egressModes = ['open', 'platform'] as const

/** The reach of sandboxes with a network of their own, beyond the platform. */
export interface Egress {
  /** open: public addresses too; platform: only the API, the model gateway and the session's own repository. */
  readonly mode: (typeof egressModes)[number]
  /** Never reached, wherever they are: the database, Redis, internal ports. */
  readonly forbidden_urls: readonly string[]
  /** True when the operator lets connected repositories be at private addresses. */
  readonly private_repositories: boolean
  /** The internet as tests have it. */
  readonly isPublic?: (address: string) => boolean
  readonly lookup?: Lookup
  readonly connect?: typeof connectTo
}

/** The default of a platform that was told nothing: sandboxes reach it alone. */
export const platformOnly: Egress = {
  mode: 'platform',
  forbidden_urls: [],
  private_repositories: false,
}

export type Verdict =
  | {
      readonly allowed: true
      readonly addresses: readonly string[]
      /** Time for which a connection to it is tried while it is refused. */
      readonly timeout_ms: number
    }
  | { readonly allowed: false; readonly why: string }

/** Resolves the target once: a connection goes to the addresses of this verdict and to no later answer. */
export async function judge(target: Authority, reach: Reach, egress: Egress): Promise<Verdict> {
  const text = authorityText(target)
  if (reach.platform.has(text)) {
    const addresses = await resolve(target.host, bySystem)
    return { allowed: true, addresses, timeout_ms: platformTimeoutMs }
  }
  const ofRepository = text === reach.repository
  if (!ofRepository && egress.mode === 'platform') return refused('sandboxes reach only the platform')
  const addresses = await resolve(target.host, ofRepository ? bySystem : (egress.lookup ?? byNameServer))
  const [first] = addresses
  if (first === undefined) return refused('there is no such host')
  const forbidden = await forbiddenAddresses(target.port, egress)
  const isPublic = egress.isPublic ?? isOthersPublic
  const anywhere = ofRepository && egress.private_repositories
  const closed = addresses.some((address) => forbidden.has(address) || !(anywhere || isPublic(address)))
  return closed
    ? refused('it is at an address that is closed to sandboxes')
    : { allowed: true, addresses, timeout_ms: 0 }
}

/** A service that listens on every address answers at the machine's public one too, past its firewall. */
function isOthersPublic(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return isPublicAddress(address) && !own.some((one) => one.address === address)
}

function refused(why: string): Verdict {
  return { allowed: false, why }
}

async function resolve(host: string, lookup: Lookup): Promise<readonly string[]> {
  return isIP(host) === 0 ? lookup(host).catch(() => []) : [host]
}

/** The machine's own lookup: a name that the operator wrote may be known to this machine alone. */
const bySystem: Lookup = async (host) =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** Asks the name servers without taking one of the few threads that the whole platform shares. */
const byNameServer: Lookup = async (host) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

async function forbiddenAddresses(port: number, egress: Egress): Promise<ReadonlySet<string>> {
  const there = (await forbiddenTargets(egress)).filter((target) => target.port === port)
  return new Set(there.flatMap(({ addresses }) => addresses))
}

export interface ForbiddenTarget extends Authority {
  /** None where its name is not known now. */
  readonly addresses: readonly string[]
}

/** The operator's own services, at their addresses of this moment. */
export function forbiddenTargets({
  forbidden_urls,
}: Pick<Egress, 'forbidden_urls'>): Promise<readonly ForbiddenTarget[]> {
  const targets = forbidden_urls.flatMap((url) => authorityOf(url) ?? [])
  return Promise.all(
    targets.map(async (target) => ({ ...target, addresses: await resolve(target.host, bySystem) })),
  )
}
