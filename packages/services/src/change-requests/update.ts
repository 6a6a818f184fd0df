import { statusAfter } from '@svc/change-request'
import { audited, type Context } from '@svc/context'
import { type ChangeRequestRow, changeRequests } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofChangeRequest } from './audit.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'
import { requireOwnWork } from './own-work.ts'

export interface UpdateChangeRequestInput extends ChangeRequestInput {
  readonly title?: string | undefined
  readonly description?: string | undefined
}

export async function updateChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: UpdateChangeRequestInput,
): Promise<ChangeRequestRow> {
  const { row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  await requireOwnWork(ctx, row)
  statusAfter(row.status, 'edit')
  const { title = row.title, description = row.description } = input
  if (title === row.title && description === row.description) return row
  const change = {
    ...(input.title === undefined ? {} : { title }),
    ...(input.description === undefined ? {} : { description }),
  }
  const updated = await audited(ctx, ofChangeRequest('updateChangeRequest', row), (tx) =>
    changeRequests.apply(tx, row.cr_id, 'edit', change, ctx.now()),
  )
  if (updated) return updated
  statusAfter((await getChangeRequestRow(ctx, input)).status, 'edit')
  throw new ServiceError(
    'conflict',
    'The change request moved while it was being edited; read it and try again',
  )
}
