import {
  type AccountRole,
  decide,
  decideAccount,
  decidePerson,
  effectiveProjectRole,
  type Entitlement,
  type Principal,
  type ProjectRole,
  type SessionPrincipal,
  type UserPrincipal,
} from '@svc/access'
import type { Capability } from '@svc/facts'
import { accounts, plans, type ProjectRow, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { missedRule } from './sign-in-rules.ts'
import { requireActive } from './suspension.ts'

export interface AccessibleProject extends ProjectRow {
  /** The operator's limit on the repositories of its account. */
  readonly limit_storage_mb?: number | null
  readonly project_role: ProjectRole
  /** Capabilities that a custom role adds to that role. */
  readonly extra?: readonly Capability[] | null
}

export interface AccessibleAccount extends accounts.AccountWithPlan {
  readonly role: AccountRole
}

type Asking = Pick<Context, 'db' | 'principal' | 'trail'>

/** True when the principal holds a further capability on a project that it was already let into. */
export function mayAlso(principal: Principal, capability: Capability, project: AccessibleProject): boolean {
  const { project_id, project_role: role, extra } = project
  return decide(principal, capability, { project_id, role, extra: extra ?? [] }).kind === 'allowed'
}

/** The user or service account behind a principal; null for keys that stand for neither. */
export function actingUser(principal: Principal): string | null {
  return 'user_id' in principal ? principal.user_id : null
}

/** The project; refuses a principal that lacks `capability` on it. Every verb on a project calls this first. */
export async function requireProject(
  ctx: Asking,
  project_id: string,
  capability: Capability,
): Promise<AccessibleProject> {
  const { principal } = ctx
  // A refusal that no role could change needs no query.
  const unasked = decide(principal, capability, { project_id, role: null })
  if (unasked.kind === 'refused') throw denied(ctx, forbidden(capability, unasked.reason))
  const found = await findProject(ctx, project_id)
  const decision = decide(principal, capability, {
    project_id,
    role: found.role,
    extra: found.row?.extra ?? [],
  })
  if (decision.kind === 'refused') throw denied(ctx, forbidden(capability, decision.reason))
  return openProject(ctx, found)
}

/** The project of the session that asks, whatever its agent is granted: for what that agent is given by other means. */
export async function requireSessionProject(
  ctx: Asking,
  session: SessionPrincipal,
): Promise<AccessibleProject> {
  return openProject(ctx, await findProject(ctx, session.project_id))
}

interface FoundProject {
  readonly row: projects.ProjectWithRoles | undefined
  readonly role: ProjectRole | null
}

async function findProject(ctx: Asking, project_id: string): Promise<FoundProject> {
  const user_id = actingUser(ctx.principal)
  const row = user_id === null ? undefined : await projects.findForUser(ctx.db, project_id, user_id)
  const role = row?.account_role
    ? effectiveProjectRole(row.account_role, row.member_role)
    : (row?.member_role ?? null)
  const { account_id } = row ?? {}
  if (ctx.trail && account_id !== undefined && (role !== null || row?.account_role))
    ctx.trail.subject = { account_id, project_id }
  return { row, role }
}

/** Refuses one that the caller has no role in, and one that is closed to all. */
function openProject(ctx: Asking, { row, role }: FoundProject): AccessibleProject {
  if (!row || role === null)
    throw denied(ctx, new ServiceError('not_found', 'There is no such project; list those that you reach'))
  requireSignInRules(ctx, row.account_id)
  if (row.status === 'archived')
    throw new ServiceError('project_archived', 'The project was archived; work in another one')
  requireActive(ctx, row)
  const { account_role: _, member_role: __, suspended_at: ___, suspended_reason: ____, ...project } = row
  return { ...project, project_role: role }
}

/** The account; refuses a person who lacks the role `wanted` there. Every verb on an account calls this first. */
export async function requireAccount(
  ctx: Asking,
  account_id: string,
  wanted: AccountRole,
  entitlement?: Entitlement,
): Promise<AccessibleAccount> {
  const { user_id } = requireUser(ctx, `account.${wanted}`)
  const row = await accounts.findForUser(ctx.db, account_id, user_id)
  if (ctx.trail && row && row.role !== null) ctx.trail.subject = { account_id, project_id: null }
  const decision = decideAccount(ctx.principal, wanted, { role: row?.role ?? null })
  if (decision.kind === 'refused') throw denied(ctx, forbidden(`account.${wanted}`, decision.reason))
  if (decision.kind === 'hidden' || !row || row.role === null)
    throw denied(
      ctx,
      new ServiceError('not_found', 'There is no such account; list those that you belong to'),
    )
  requireSignInRules(ctx, account_id)
  requireActive(ctx, row)
  if (entitlement !== undefined) await requireEntitlement(ctx, row, entitlement)
  return { ...row, role: row.role }
}

/** Throws `account_mfa_required` and `account_sso_required` for a sign-in that lacks what the account asks of it. */
export function requireSignInRules(ctx: Pick<Context, 'principal' | 'trail'>, account_id: string): void {
  const refusal = missedRule(ctx.principal, account_id)
  if (refusal !== null) throw denied(ctx, refusal)
}

export async function requireEntitlement(
  ctx: Pick<Context, 'db' | 'trail'>,
  plan: Pick<accounts.AccountWithPlan, 'account_id' | 'entitlements' | 'tier'>,
  entitlement: Entitlement,
): Promise<void> {
  if (plan.entitlements.includes(entitlement)) return
  const held_by = await plans.holding(ctx.db, entitlement)
  const message = `The plan of this account (${plan.tier}) does not hold ${entitlement}; it is part of ${held_by.join(', ')}: ask the operator of the platform for another plan`
  const details = { entitlement, plans: held_by, account_id: plan.account_id }
  throw denied(ctx, new ServiceError('entitlement_required', message, details))
}

/**
 * Account routes are for people: a token bound to a project reaches none of them. The refusal names `action`, which no
 * credential of that kind holds.
 */
export function requireUser(
  ctx: Pick<Context, 'principal' | 'trail'>,
  action: ActionOfPeople | ActionOfOperators = 'account.member',
): UserPrincipal {
  const decision = decidePerson(ctx.principal)
  if (ctx.principal.type === 'user') return ctx.principal
  const reason = decision.kind === 'refused' ? decision.reason : 'This needs a user token'
  throw denied(ctx, forbidden(action, reason))
}

/** The person or service account that an accepted request acts for. */
export function requireActor(ctx: Pick<Context, 'principal' | 'trail'>): string {
  const user_id = actingUser(ctx.principal)
  if (user_id === null)
    throw denied(
      ctx,
      forbidden(
        'project.read',
        'This key stands for no person; use a user token, as svc tokens new makes them',
      ),
    )
  return user_id
}

/** Actions outside of project roles: they need a role in the account, or the person's own sign-in. */
type ActionOfPeople = `account.${AccountRole}` | 'account.sign_in'

/** The operator's surface, as a whole. */
type ActionOfOperators = 'platform.admin'

/** Actions of a sandbox's daemon alone, with the key of its own session. */
type ActionOfSandboxes = 'sandbox.report' | 'sandbox.checkpoint'

/** A denial, and the action that the credential lacks. */
export function forbidden(
  action: Capability | ActionOfPeople | ActionOfOperators | ActionOfSandboxes,
  reason: string,
): ServiceError {
  return new ServiceError('forbidden', reason, { action })
}

export function denied(ctx: Pick<Context, 'trail'>, error: ServiceError): ServiceError {
  if (ctx.trail) ctx.trail.denied = true
  return error
}
