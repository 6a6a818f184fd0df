import { effectiveProjectRole } from '@svc/access'
import { type AccessibleProject, type Context, mayAlso, missedRule, requireUser } from '@svc/context'
import type { Capability } from '@svc/facts'
import { type inboxItems, projects } from '@svc/db'

/** A person, with the projects whose rows wait for them. */
export interface InboxReach {
  readonly user_id: string
  /** The projects on which the person holds a capability. */
  holding(capability: Capability): readonly string[]
  /** The projects whose account the person administers. */
  readonly administered: readonly string[]
}

/** A person, with the projects that they may read. */
export interface InboxScope extends InboxReach {
  readonly projects: ReadonlyMap<string, AccessibleProject>
  may(project_id: string, capability: Capability): boolean
}

/** The scope of the caller: all their projects, or one of them. */
export async function inboxScope(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  project_id?: string,
): Promise<InboxScope> {
  const { user_id } = requireUser(ctx)
  const rows = await projects.listForUser(ctx.db, user_id, project_id)
  const readable = rows.flatMap(({ account_role, member_role, ...row }): AccessibleProject[] => {
    const project_role = account_role ? effectiveProjectRole(account_role, member_role) : member_role
    if (project_role === null || missedRule(ctx.principal, row.account_id) !== null) return []
    return [{ ...row, project_role }]
  })
  const admins = rows.filter(({ account_role }) => account_role === 'owner' || account_role === 'admin')
  const known = new Map(readable.map((project) => [project.project_id, project]))
  const may = (id: string, capability: Capability) => {
    const project = known.get(id)
    return project !== undefined && mayAlso(ctx.principal, capability, project)
  }
  return {
    user_id,
    projects: known,
    administered: admins.map((row) => row.project_id).filter((id) => known.has(id)),
    may,
    holding: (capability) => [...known.keys()].filter((id) => may(id, capability)),
  }
}

/** The person, with the projects that they manage. */
export const waiterOf = ({ user_id, holding }: InboxReach): inboxItems.Waiter => ({
  user_id,
  managed: holding('project.members.manage'),
})
