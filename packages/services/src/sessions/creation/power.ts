import type { Context } from '@svc/context'
import type { Capability } from '@svc/facts'
import { type Db, sessions } from '@svc/db'
import type { SessionConnector } from '@svc/manifest'

/** The power of a session's agent: what it may do, and what it is given to do it with. */
export interface Power {
  readonly grant: readonly Capability[]
  readonly merge_granted: boolean
  readonly secrets: 'all' | readonly string[]
  readonly connectors: readonly SessionConnector[]
}

/** The session whose agent asks; null for every other caller. */
export async function askingSession(
  ctx: Pick<Context, 'principal'>,
  db: Db,
): Promise<sessions.SessionView | null> {
  const { principal } = ctx
  if (principal.type !== 'session') return null
  return (await sessions.findById(db, principal.session_id)) ?? null
}

/** The part of `power` left for a session that the agent of another one starts: no more than that one has itself. */
export function narrowedBy(starter: sessions.SessionView | null, power: Power): Power {
  if (starter === null) return power
  const { agent_grant, merge_granted, requested } = starter
  const usable = new Set(requested.connectors?.map(({ slug }) => slug))
  return {
    grant: power.grant.filter((name) => agent_grant.includes(name)),
    merge_granted: power.merge_granted && merge_granted,
    secrets: both(power.secrets, requested.secrets ?? 'all'),
    connectors: power.connectors.filter(({ slug }) => usable.has(slug)),
  }
}

function both(names: Power['secrets'], others: Power['secrets']): Power['secrets'] {
  if (names === 'all') return others
  return others === 'all' ? names : names.filter((name) => others.includes(name))
}
