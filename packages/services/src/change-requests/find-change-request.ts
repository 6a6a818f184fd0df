import type { Capability } from '@svc/access'
import { type ChangeRequestRow, changeRequests } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type AccessibleProject, requireProject } from '../access/require.ts'
import type { Context } from '../context.ts'

/** `cr` is the cr_id or the number within the project. */
export interface ChangeRequestInput {
  readonly project_id: string
  readonly cr: string
}

export async function requireChangeRequest(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: ChangeRequestInput,
  capability: Capability,
): Promise<{ project: AccessibleProject; row: ChangeRequestRow }> {
  const project = await requireProject(ctx, input.project_id, capability)
  return { project, row: await getChangeRequestRow(ctx, input) }
}

export async function getChangeRequestRow(
  ctx: Pick<Context, 'db'>,
  input: ChangeRequestInput,
): Promise<ChangeRequestRow> {
  const row = await changeRequests.find(ctx.db, input)
  if (!row) throw new ServiceError('not_found', 'There is no such change request')
  return row
}
