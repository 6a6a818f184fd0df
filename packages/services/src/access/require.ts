import {
  type Capability,
  decide,
  effectiveProjectRole,
  type Principal,
  type ProjectRole,
  type UserPrincipal,
} from '@svc/access'
import { type ProjectRow, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'

export interface AccessibleProject extends ProjectRow {
  readonly project_role: ProjectRole
}

/** Whether the principal holds a further capability on a project that it was already let into. */
export function mayAlso(principal: Principal, capability: Capability, project: AccessibleProject): boolean {
  return (
    decide(principal, capability, { project_id: project.project_id, role: project.project_role }).kind ===
    'allowed'
  )
}

/** The user behind a principal; null for keys that stand for no person. */
export function actingUser(principal: Principal): string | null {
  return principal.type === 'sandbox' || principal.type === 'gateway' ? null : principal.user_id
}

/** The project, once the principal was found to hold `capability` on it. Every verb on a project asks this first. */
export async function requireProject(
  ctx: Pick<Context, 'db' | 'principal'>,
  project_id: string,
  capability: Capability,
): Promise<AccessibleProject> {
  const { principal } = ctx
  if (principal.type !== 'user' && principal.project_id !== project_id) {
    throw forbidden(capability, 'This token belongs to another project')
  }
  const user_id = actingUser(principal)
  const row = user_id === null ? undefined : await projects.findForUser(ctx.db, project_id, user_id)
  const role = row?.account_role
    ? effectiveProjectRole(row.account_role, row.member_role)
    : (row?.member_role ?? null)
  const decision = decide(principal, capability, { project_id, role })
  if (decision.kind === 'refused') throw forbidden(capability, decision.reason)
  if (decision.kind === 'hidden' || !row || role === null)
    throw new ServiceError('not_found', 'There is no such project')
  if (row.status === 'archived') throw new ServiceError('project_archived', 'The project was archived')
  const { account_role: _, member_role: __, ...project } = row
  return { ...project, project_role: role }
}

/** Account routes are for people: a token bound to a project reaches none of them. */
export function requireUser(ctx: Pick<Context, 'principal'>): UserPrincipal {
  if (ctx.principal.type === 'user') return ctx.principal
  throw new ServiceError(
    'forbidden',
    'A project-scoped token does not reach account routes; use a user token',
  )
}

/** The person that an accepted request acts for. */
export function requireActor(ctx: Pick<Context, 'principal'>): string {
  const user_id = actingUser(ctx.principal)
  if (user_id === null) throw new ServiceError('forbidden', 'This key stands for no person')
  return user_id
}

export function forbidden(action: Capability, reason: string): ServiceError {
  return new ServiceError('forbidden', reason, { action })
}
