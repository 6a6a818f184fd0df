import { createHash } from 'node:crypto'
import { decide, effectiveProjectRole } from '@svc/access'
import type { Capability } from '@svc/facts'
import type { KnownViewer, Viewer } from '@svc/app'
import { appVisits, type AppPlace, type Db } from '@svc/db'

export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A person's roles are looked at again after this long. */
const maxAgeMs = 30_000
const maxKnown = 50_000

interface Known {
  readonly at: number
  readonly expires_at: number
  readonly policy_revision: number
  readonly viewer: Viewer
}

export interface WhoVisits {
  /** The visitor behind a token; null when it is none of this channel, is over, or was given before the policy changed. */
  of(place: AppPlace, token: string): Promise<Viewer>
  forget(token: string): void
}

export function whoVisits(db: Db, now: () => number): WhoVisits {
  const known = new Map<string, Known>()

  const ask = async (place: AppPlace, token_hash: Buffer): Promise<Known> => {
    const at = now()
    const { channel_id } = place
    const visit = await appVisits.findVisit(db, { token_hash, channel_id }, new Date(at))
    if (visit === undefined) return { at, expires_at: at + maxAgeMs, policy_revision: -1, viewer: null }
    const { viewer, policy_revision } = visit
    const expires_at = visit.expires_at.getTime()
    if (viewer === null) return { at, expires_at, policy_revision, viewer: 'password' }
    return { at, expires_at, policy_revision, viewer: await viewerOf(db, place, viewer) }
  }
  return {
    async of(place, token) {
      const token_hash = hashOf(token)
      const key = `${place.channel_id} ${token_hash.toString('base64url')}`
      let one = known.get(key)
      if (one === undefined || now() - one.at > maxAgeMs || one.expires_at <= now()) {
        one = await ask(place, token_hash)
        known.delete(key)
        known.set(key, one)
        const [oldest] = known.keys()
        if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
      }
      return one.policy_revision === place.policy_revision ? one.viewer : null
    },
    forget(token) {
      const end = hashOf(token).toString('base64url')
      for (const key of known.keys()) if (key.endsWith(end)) known.delete(key)
    },
  }
}

/** A person as they are to an app by their roles today. */
async function viewerOf(db: Db, { app_id, project_id }: AppPlace, user_id: string): Promise<KnownViewer> {
  const { account_role, member_role, extra, listed } = await appVisits.viewerFacts(db, app_id, user_id)
  const role = account_role === null ? member_role : effectiveProjectRole(account_role, member_role)
  const principal = { type: 'user', user_id, token_id: '' } as const
  const holds = (capability: Capability) =>
    decide(principal, capability, { project_id, role, extra: extra ?? [] }).kind === 'allowed'
  return { reads: holds('project.app.read'), writes: holds('project.app.write'), listed }
}
