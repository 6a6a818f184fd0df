import type { BaseContext } from '@svc/context'
import { type Db, harnessFacts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type FrozenHarness, knownHarness, licencesOf, unavailable, type Unavailable } from '@svc/harness'
import { nodeMajor } from '../projects/runs-on.ts'
import { askedProvider, heldNowhere } from './not-held.ts'
import { policyOf } from './policy-of.ts'

export interface HarnessOfSession {
  readonly project_id: string
  /** The person whose own secrets the session would be given; null where it gets none. */
  readonly owner: string | null
  /** The provider that is asked for; any where absent. */
  readonly provider?: string | undefined
  readonly harness: FrozenHarness
}

/** The refusal of a session with this harness; null where it may start. */
export async function harnessRefusal(
  { settings, now }: Pick<BaseContext, 'settings' | 'now'>,
  db: Db,
  { project_id, owner, harness, provider }: HarnessOfSession,
): Promise<ServiceError | null> {
  const { harness: name, auth, version } = harness
  const known = knownHarness(name)
  const secret = auth === 'personal' ? (known?.personal_secret ?? null) : null
  const facts = await harnessFacts.read(db, { project_id, harness: name, owner, secret, now: now() })
  const place = {
    policy: policyOf(settings),
    node_major: nodeMajor,
    has_gateway: settings.llm_base_url !== null && facts.has_gateway,
  }
  const refusal =
    unavailable(harness, place) ??
    heldNowhere(harness, facts.machines, askedProvider({ provider })) ??
    (auth === 'personal' ? withoutCredential(name, secret, facts) : null)
  if (refusal !== null)
    return new ServiceError('HARNESS_UNAVAILABLE', refusal.message, { harness: name, reason: refusal.reason })
  const owed = licencesOf(name, version).find(({ sha256 }) => !facts.accepted.includes(sha256))
  if (owed === undefined) return null
  const { url: licence_url, sha256, spdx: licence } = owed
  return new ServiceError(
    'HARNESS_LICENCE_REQUIRED',
    `${known?.title ?? name} has a proprietary licence, which a platform admin has to accept once: svc harnesses accept ${name}`,
    { harness: name, licence, licence_url, sha256 },
  )
}

function withoutCredential(
  name: string,
  secret: string | null,
  { holds_secret }: { readonly holds_secret: boolean },
): Unavailable | null {
  if (secret === null)
    return { reason: 'credential', message: `${name} knows no subscription of a person; leave \`auth\` out` }
  if (holds_secret) return null
  const message = `This starts with your own subscription: put its token into the personal secret ${secret} of this project first`
  return { reason: 'credential', message }
}
