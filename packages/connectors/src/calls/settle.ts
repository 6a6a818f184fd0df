import { recordAudit, requireProject, requireWritesOpen } from '@svc/context'
import { connectorCalls, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { enqueueOwed } from '@svc/services'
import { requirePerson } from '../approvals/person.ts'
import type { ConnectorContext } from '../context.ts'
import { deliverLocked } from './deliver.ts'
import type { CallKey } from './get.ts'
import { logCall } from './log-call.ts'
import { presentCall } from './present.ts'

export interface SettleInput extends CallKey {
  readonly outcome: 'happened' | 'did_not_happen'
  readonly note?: string | undefined
}

/** A person who looked in the other service says how a call ended whose end was not seen. Its session is told. */
export async function settleCall(ctx: ConnectorContext, { project_id, call_id, outcome, note }: SettleInput) {
  const project = await requireProject(ctx, project_id, 'project.review.act')
  requirePerson(ctx)
  requireWritesOpen(ctx)
  const found = await connectorCalls.find(ctx.db, call_id)
  if (found?.project_id !== project_id)
    throw new ServiceError('not_found', 'There is no such call; take its call_id from the answer to the call')
  const message = `${outcome === 'happened' ? 'A person looked: it happened' : 'A person looked: it did not happen'}${note === undefined ? '' : `. ${note}`}`
  const settled = await ctx.db.transaction().execute(async (tx) => {
    const owner = await projects.find(tx, project_id)
    const row = await connectorCalls.apply(tx, call_id, outcome, ctx.now(), {
      set: { settled: true, message, reason: outcome === 'happened' ? null : 'upstream_error' },
    })
    if (row === undefined || owner === undefined) return undefined
    const jobs = await deliverLocked(ctx, tx, owner, row, 'settled')
    await logCall(ctx, tx, row)
    await recordAudit(ctx, tx, {
      ...{ account_id: project.account_id, project_id, action: 'settleConnectorCall' },
      target: `projects/${project_id}/connector-calls/${call_id}`,
      details: { outcome },
    })
    return { row, jobs }
  })
  if (settled === undefined) {
    const status = (await connectorCalls.find(ctx.db, call_id))?.status ?? found.status
    throw new ServiceError(
      'CALL_NOT_UNKNOWN',
      `The call is ${status}; only one whose outcome is unknown is settled`,
      {
        status,
      },
    )
  }
  await enqueueOwed(ctx, settled.jobs)
  return presentCall(settled.row)
}
