import { effectiveProjectRole, type ProjectRole, roleHolds } from '@svc/access'
import { type AudiencePlace, type Db, notificationAudience } from '@svc/db'
import type { Capability, WatchLevel } from '@svc/facts'

/** A person who may be told of a place, with what they may do there. */
export interface Person {
  readonly user_id: string
  readonly level: WatchLevel
  /** They manage the project; of an account's own events, they administer it. */
  readonly manages: boolean
  readonly has_browser: boolean
  holds(capability: Capability): boolean
}

/** The people of a project, or the admins of an account; read once for a batch of events. */
export function peopleReader(tx: Db): (place: AudiencePlace) => Promise<readonly Person[]> {
  const read = new Map<string, Promise<readonly Person[]>>()
  return (place) => {
    const key = place.project_id ?? place.account_id
    const known = read.get(key) ?? peopleOf(tx, place)
    read.set(key, known)
    return known
  }
}

async function peopleOf(tx: Db, place: AudiencePlace): Promise<readonly Person[]> {
  const rows = await notificationAudience.people(tx, place)
  return rows.flatMap(({ user_id, account_role, member_role, extra, level, has_browser }) => {
    const role: ProjectRole | null = account_role
      ? effectiveProjectRole(account_role, member_role)
      : member_role
    if (role === null || level === 'none') return []
    const holds = (capability: Capability) =>
      roleHolds(role, capability) || (extra ?? []).includes(capability)
    const manages = role === 'manager'
    return [{ user_id, level: level ?? ('mine' as const), manages, has_browser, holds }]
  })
}
