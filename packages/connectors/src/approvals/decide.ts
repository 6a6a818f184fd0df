import { recordAudit, requireProject, requireWritesOpen } from '@svc/context'
import { type ApprovalRow, connectorApprovals, connectorCalls, projects, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { enqueueOwed } from '@svc/services'
import { deliverLocked } from '../calls/deliver.ts'
import type { CallKey } from '../calls/get.ts'
import { logCall } from '../calls/log-call.ts'
import type { ConnectorContext } from '../context.ts'
import { presentApproval } from './present.ts'
import { requireFreshPerson } from './person.ts'

export interface DecideInput extends CallKey {
  readonly decision: 'approve' | 'deny'
  /** Of exactly what was shown. */
  readonly digest: string
  readonly message?: string | undefined
}

/**
 * Decides on a frozen call, once. An approved one is carried out by the platform as it was frozen; the agent repeats
 * nothing.
 */
export async function decideApproval(ctx: ConnectorContext, input: DecideInput) {
  const { project_id, call_id, decision, digest, message = null } = input
  const project = await requireProject(ctx, project_id, 'project.review.act')
  const person = await requireFreshPerson(ctx)
  requireWritesOpen(ctx)
  const approval = await requireApproval(ctx, { project_id, call_id })
  if (approval.second_person) await requireSecondPerson(ctx, project_id, call_id, person.user_id)
  const now = ctx.now()
  const { user_id: decided_by, sign_in_id: decided_sign_in_id } = person
  const status = decision === 'approve' ? 'approved' : 'denied'
  const done = await ctx.db.transaction().execute(async (tx) => {
    const end = { status, decision, decided_by, decided_sign_in_id, message, decided_at: now } as const
    if (!(await connectorApprovals.decide(tx, { call_id, digest }, end))) return undefined
    const row = await connectorCalls.apply(tx, call_id, decision, now, {
      set: decision === 'deny' ? { reason: 'approval_denied', message: deniedWords(message) } : {},
    })
    const owner = await projects.find(tx, project_id)
    if (row === undefined || owner === undefined) throw notPending(approval)
    await logCall(ctx, tx, row)
    const jobs = decision === 'deny' ? await deliverLocked(ctx, tx, owner, row, 'ended') : []
    await recordAudit(ctx, tx, {
      ...{ account_id: project.account_id, project_id, action: 'decideApproval' },
      target: `projects/${project_id}/approvals/${call_id}`,
      details: { decision, digest },
    })
    return { row, jobs }
  })
  if (done === undefined) {
    const current = await requireApproval(ctx, { project_id, call_id })
    if (current.status === 'pending' && current.expires_at > now)
      throw new ServiceError(
        'APPROVAL_STALE',
        'The digest is not that of this call: read it again, and decide on what it says now',
        { digest: current.digest },
      )
    throw notPending(current.status === 'pending' ? { ...current, status: 'expired' } : current)
  }
  if (decision === 'approve') await ctx.enqueue('connector', 'connector.execute', { call_id })
  await enqueueOwed(ctx, done.jobs)
  return presentApproval(ctx, project, done.row, await requireApproval(ctx, { project_id, call_id }))
}

export async function requireApproval(
  ctx: Pick<ConnectorContext, 'db'>,
  { project_id, call_id }: CallKey,
): Promise<ApprovalRow> {
  const approval = await connectorApprovals.find(ctx.db, call_id)
  if (approval?.project_id !== project_id)
    throw new ServiceError('not_found', 'There is no such approval; list those of the project')
  return approval
}

function deniedWords(message: string | null): string {
  return message === null
    ? 'A person decided against this call; do not repeat it'
    : `A person decided against this call: ${message}`
}

function notPending({ status }: Pick<ApprovalRow, 'status'>): ServiceError {
  return new ServiceError(
    'APPROVAL_NOT_PENDING',
    `This call is ${status} already; nothing is left to decide`,
    {
      status,
    },
  )
}

async function requireSecondPerson(
  ctx: Pick<ConnectorContext, 'db'>,
  project_id: string,
  call_id: string,
  user_id: string,
): Promise<void> {
  const call = await connectorCalls.find(ctx.db, call_id)
  const session =
    call?.session_id == null
      ? undefined
      : await sessions.find(ctx.db, { project_id, session_id: call.session_id })
  if (session?.created_by !== user_id && call?.actor.user_id !== user_id) return
  throw new ServiceError(
    'second_person_required',
    'The rule asks for a second person: another person than the one who started this has to decide',
  )
}
