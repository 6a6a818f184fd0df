import { statusAfter } from '@svc/change-request'
import { audited, type Context } from '@svc/context'
import { type ChangeRequestRow, changeRequests } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { openRepository } from '../projects/repository.ts'
import { requireAhead } from './ahead.ts'
import { ofChangeRequest } from './audit.ts'
import { refuseSecond } from './create.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'
import { requireOwnWork } from './own-work.ts'

export async function reopenChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'newId' | 'trail' | 'signal'>,
  input: ChangeRequestInput,
): Promise<ChangeRequestRow> {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  await requireOwnWork(ctx, row)
  statusAfter(row.status, 'reopen')
  const tips = await requireAhead(await openRepository(ctx, project), row)
  await refuseSecond(ctx.db, row)
  const reopened = await audited(ctx, ofChangeRequest('reopenChangeRequest', row), (tx) =>
    changeRequests.apply(tx, row.cr_id, 'reopen', tips, ctx.now()),
  ).catch(async (error: unknown) => {
    // The unique index refuses a second open pair; say which one is open.
    await refuseSecond(ctx.db, row)
    throw error
  })
  if (reopened) return reopened
  statusAfter((await getChangeRequestRow(ctx, input)).status, 'reopen')
  throw new ServiceError(
    'conflict',
    'The change request moved while it was being reopened; read it and try again',
  )
}
