import { uuidPattern } from '@svc/facts'
import type { Context } from '@svc/context'
import { type ChangeRequestRow, type ModelUsage, modelUsage, noModelUsage } from '@svc/db'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'
import { refreshOpen } from './refresh.ts'

export async function getChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal'>,
  input: ChangeRequestInput,
): Promise<{ change_request: ChangeRequestRow; cost: ModelUsage }> {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  const [fresh = row] = await refreshOpen(ctx, project, [row])
  return { change_request: fresh, cost: await costOf(ctx, fresh) }
}

/** A session's branch is named after it; another branch has no session. */
async function costOf(
  { db }: Pick<Context, 'db'>,
  { project_id, head_ref }: ChangeRequestRow,
): Promise<ModelUsage> {
  if (!uuidPattern.test(head_ref)) return noModelUsage
  const usage = await modelUsage.ofSessions(db, { project_id, session_ids: [head_ref] })
  return usage.get(head_ref) ?? noModelUsage
}
