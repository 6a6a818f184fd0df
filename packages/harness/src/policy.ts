import type { FrozenHarness } from './frozen.ts'
import { knownHarness, pinnedVersion } from './known/known.ts'
import type { HarnessAuth, UnavailableReason } from './words.ts'

/** The operator's rules for harnesses. */
export interface HarnessPolicy {
  /** The names that may be used. */
  readonly allowed: 'all' | readonly string[]
  readonly auths: readonly HarnessAuth[]
  /** Whether the first session installs a harness, or an operator does. */
  readonly install: 'demand' | 'manual'
  /** Time without a sign of life after which an agent is ended in a turn; 0 for ever. */
  readonly silence_seconds: number
}

export const openPolicy: HarnessPolicy = {
  allowed: 'all',
  auths: ['gateway'],
  install: 'demand',
  silence_seconds: 600,
}

/** A platform as far as harnesses are concerned. */
export interface HarnessPlace {
  readonly policy: HarnessPolicy
  readonly node_major: number
  /** Whether the session would have the model gateway. */
  readonly has_gateway: boolean
}

export interface Unavailable {
  readonly reason: UnavailableReason
  readonly message: string
}

/** The reason that a harness cannot start here, whatever was installed; null where it can. */
export function unavailable(
  { harness, auth, version }: Pick<FrozenHarness, 'harness' | 'auth' | 'version'>,
  { policy, node_major, has_gateway }: HarnessPlace,
): Unavailable | null {
  const known = knownHarness(harness)
  const title = known?.title ?? harness
  if (policy.allowed !== 'all' && !policy.allowed.includes(harness)) {
    const may = policy.allowed.length === 0 ? 'no harness' : policy.allowed.join(', ')
    return {
      reason: 'operator',
      message: `The operator allows ${may}; ask them for ${title} (SVC_HARNESSES)`,
    }
  }
  if (!policy.auths.includes(auth)) {
    const message = `The operator does not allow \`auth: ${auth}\` for harnesses (SVC_HARNESS_AUTH); leave it out to use the gateway`
    return { reason: 'operator', message }
  }
  if (known?.program.kind === 'npm' && (version ?? pinnedVersion(known, node_major)) === null)
    return { reason: 'node', message: `No version of ${title} is pinned for Node ${node_major}` }
  // Only a known harness surely asks a model: a program of the project's own may do without.
  if (auth === 'gateway' && !has_gateway && known !== undefined) {
    const message = `${title} asks the model gateway, which this platform or project does not have: switch it on, or choose \`auth: secrets\``
    return { reason: 'gateway_off', message }
  }
  return null
}
