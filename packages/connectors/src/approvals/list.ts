import type { ApprovalStatus } from '@svc/connector'
import { requireProject } from '@svc/context'
import { connectorApprovals, connectorCalls } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { CallKey } from '../calls/get.ts'
import type { ConnectorContext } from '../context.ts'
import { requireApproval } from './decide.ts'
import { presentApproval, presentApprovals } from './present.ts'

type ReadContext = Pick<ConnectorContext, 'db' | 'principal' | 'vault' | 'trail'>

const listed = 100

/** Frozen calls of a project, the one that expires first at the beginning; at most 100. */
export async function listApprovals(
  ctx: ReadContext,
  { project_id, status }: { readonly project_id: string; readonly status?: ApprovalStatus | undefined },
) {
  const project = await requireProject(ctx, project_id, 'project.review.read')
  const rows = await connectorApprovals.list(ctx.db, { project_id, status, limit: listed })
  const calls = await connectorCalls.findMany(
    ctx.db,
    rows.map(({ call_id }) => call_id),
  )
  const frozen = rows.flatMap((approval) => {
    const call = calls.get(approval.call_id)
    return call === undefined ? [] : [{ call, approval }]
  })
  return { approvals: await presentApprovals(ctx, project, frozen) }
}

export async function getApproval(ctx: ReadContext, key: CallKey) {
  const project = await requireProject(ctx, key.project_id, 'project.review.read')
  const approval = await requireApproval(ctx, key)
  const call = await connectorCalls.find(ctx.db, key.call_id)
  if (call === undefined)
    throw new ServiceError('not_found', 'There is no such approval; list those of the project')
  return presentApproval(ctx, project, call, approval)
}
