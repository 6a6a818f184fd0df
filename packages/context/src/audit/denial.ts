import type { Principal } from '@svc/access'
import { accounts, projects } from '@svc/db'
import { ServiceError, statusOf } from '@svc/errors'
import { RefusedCredential } from '../access/refused-credential.ts'
import type { BaseContext, Context } from '../context.ts'
import { isFirstInAMinute } from './once-a-minute.ts'
import { recordAudit } from './record.ts'
import type { AuditTrail } from './trail.ts'

/** One answered request, as the log records it. */
export interface AnsweredRequest {
  /** The operation of the contract. */
  readonly action: string
  /** The path behind `/v1/`. */
  readonly target: string
  readonly status: number
}

/**
 * Records a denied request; the verbs themselves record what they do. The attempt of a stranger is recorded in the log
 * of their own account.
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

export interface RefusedRequest extends Omit<AnsweredRequest, 'status'> {
  /** The caller, when it was known before the request was refused. */
  readonly principal?: Principal | undefined
  readonly trail: AuditTrail
}

/**
 * Writes down that a request was refused, where no route of the API answers it or none was reached. Never fails: when
 * the event cannot be written, the operator's log says so, and the caller is refused all the same.
 */
export async function recordRefusal(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>,
  error: unknown,
  request: RefusedRequest,
): Promise<void> {
  const { trail, action, target } = request
  if (!(error instanceof ServiceError)) return
  const refused = error instanceof RefusedCredential
  const principal = refused ? error.principal : request.principal
  if (principal === undefined) return
  try {
    if (refused && !(await isNews(ctx, error))) return
    const asked = { ...ctx, principal, trail: refused ? { ...trail, denied: true } : trail }
    await recordDenial(asked, { action, target, status: statusOf(error.code) })
  } catch (unwritten) {
    ctx.log.error({ err: unwritten, action, target }, 'an audit event was not written')
  }
}

/** The result of the work. Its refusal is written down before it is thrown on. */
export async function recordingRefusal<T>(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>,
  request: RefusedRequest,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await recordRefusal(ctx, error, request)
    throw error
  }
}

/** False for an ended credential that was recorded less than a minute ago: a caller may show it for ever. */
async function isNews(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { code, principal }: RefusedCredential,
): Promise<boolean> {
  if (code !== 'session_token_revoked' || !('token_id' in principal)) return true
  return isFirstInAMinute(ctx, `refused:${principal.token_id}`)
}

/** The account that a credential belongs to. */
async function homeOf(ctx: Pick<Context, 'db'>, principal: Principal) {
  if (principal.type === 'service' || principal.type === 'scim')
    return { account_id: principal.account_id, project_id: null }
  if (principal.type === 'user') {
    const [first] = await accounts.listMemberships(ctx.db, principal.user_id)
    return first === undefined ? null : { account_id: first.account_id, project_id: null }
  }
  const account_id = await projects.findAccountId(ctx.db, principal.project_id)
  return account_id === undefined ? null : { account_id, project_id: principal.project_id }
}
