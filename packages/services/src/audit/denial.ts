import type { Principal } from '@svc/access'
import { accounts, projects } from '@svc/db'
import type { Context } from '../context.ts'
import { recordAudit } from './record.ts'

/** One answered request, as the log wants to know it. */
export interface AnsweredRequest {
  /** The operation of the contract. */
  readonly action: string
  /** The path behind `/v1/`. */
  readonly target: string
  readonly status: number
}

/**
 * Writes down what was denied; what is done, the verbs write down with it. A stranger's attempt stands in the log of
 * their own account.
 */
export async function recordDenial(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  { action, target, status }: AnsweredRequest,
): Promise<void> {
  const { trail } = ctx
  if (!trail || status < 400 || !(trail.denied || status === 402 || status === 403)) return
  const subject = trail.subject ?? (await homeOf(ctx, ctx.principal))
  if (!subject) return
  const details = { status }
  await recordAudit(ctx, ctx.db, { ...subject, action, target, outcome: 'denied', details })
}

/** The account that a credential belongs to. */
async function homeOf(ctx: Pick<Context, 'db'>, principal: Principal) {
  if (principal.type === 'service' || principal.type === 'scim')
    return { account_id: principal.account_id, project_id: null }
  if (principal.type === 'user') {
    const [first] = await accounts.listMemberships(ctx.db, principal.user_id)
    return first === undefined ? null : { account_id: first.account_id, project_id: null }
  }
  const project = await projects.find(ctx.db, principal.project_id)
  return project === undefined ? null : { account_id: project.account_id, project_id: principal.project_id }
}
