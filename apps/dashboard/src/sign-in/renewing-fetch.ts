import type { Fetch } from '@svc/sdk'
import type { Credential, Renewable } from './credential.ts'

interface Parts {
  /** The credential that the tab holds now; null once the person signed out. */
  readonly kept: () => Credential | null
  readonly keep: (credential: Credential) => void
  /** The next pair; null when the platform refuses it for good. Throws when the outcome is unknown. */
  readonly renew: (credential: Renewable) => Promise<Renewable | null>
  readonly send: Fetch
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const earlyMs = 60_000

/**
 * Sends requests with the token that the tab holds. One that ends within a minute is exchanged before, and one that is
 * refused is exchanged once; requests that run at once wait for the same exchange, since a refresh token works once.
 */
export function renewingFetch({ kept, keep, renew, send, now }: Parts): Fetch {
  let under_way: Promise<Renewable | null> | null = null
  let refused: Renewable | null = null

  async function exchange(old: Renewable): Promise<Renewable | null> {
    const next = await renew(old)
    if (next === null) refused = old
    // A tab that signed out meanwhile stays so.
    else if (isSame(kept(), old)) keep(next)
    return next
  }

  async function after(old: Renewable): Promise<Credential | null> {
    const current = kept()
    if (!isSame(current, old)) return current
    if (isSame(refused, old)) return null
    under_way ??= exchange(old).finally(() => (under_way = null))
    return under_way
  }

  async function usable(): Promise<Credential | null> {
    const credential = kept()
    if (credential === null || credential.kind === 'token') return credential
    if (credential.expires_at - earlyMs > now()) return credential
    // While the platform is not reached, the old one may still do.
    return (await after(credential).catch(() => null)) ?? credential
  }

  return async (url, init) => {
    const credential = await usable()
    const sendAs = (whose: Credential | null) =>
      send(url, { ...init, headers: { ...init.headers, ...bearer(whose) } })
    const answer = await sendAs(credential)
    if (answer.status !== 401 || credential === null || credential.kind === 'token') return answer
    const next = await after(credential)
    if (next === null) return answer
    await answer.body?.cancel()
    return sendAs(next)
  }
}

function bearer(credential: Credential | null): Record<string, string> {
  return credential === null ? {} : { authorization: `Bearer ${credential.access_token}` }
}

/** The same sign-in at the same turn: nothing was exchanged between. */
function isSame(one: Credential | null, other: Renewable): boolean {
  if (one === null || one.kind === 'token') return false
  return one.id === other.id && one.expires_at === other.expires_at
}
