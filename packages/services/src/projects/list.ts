import { effectiveProjectRole } from '@svc/access'
import { type Context, missedRule, requireActor } from '@svc/context'
import { projects } from '@svc/db'
import { presentProject } from './present.ts'

/** The projects that the token reaches: all of the person's, or the one that the token is bound to. */
export async function listProjects(ctx: Pick<Context, 'db' | 'principal' | 'settings'>) {
  const user_id = requireActor(ctx)
  const bound = 'project_id' in ctx.principal ? ctx.principal.project_id : undefined
  const rows = await projects.listForUser(ctx.db, user_id, bound)
  return rows.flatMap(({ account_role, member_role, ...row }) => {
    const project_role = account_role ? effectiveProjectRole(account_role, member_role) : member_role
    return project_role === null || missedRule(ctx.principal, row.account_id) !== null
      ? []
      : [presentProject(ctx.settings, { ...row, project_role })]
  })
}
