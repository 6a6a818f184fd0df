import { type AccessibleProject, type Context, requireProject } from '@svc/context'
import type { Capability } from '@svc/facts'
import { type ChangeRequestRow, changeRequests } from '@svc/db'
import { ServiceError } from '@svc/errors'

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
  // Read together, which saves a round trip; the row is not used before the project has let the caller in.
  const [project, row] = await Promise.all([
    requireProject(ctx, input.project_id, capability),
    changeRequests.find(ctx.db, input),
  ])
  return { project, row: present(row) }
}

export async function getChangeRequestRow(
  ctx: Pick<Context, 'db'>,
  input: ChangeRequestInput,
): Promise<ChangeRequestRow> {
  return present(await changeRequests.find(ctx.db, input))
}

function present(row: ChangeRequestRow | undefined): ChangeRequestRow {
  if (!row) throw new ServiceError('not_found', 'There is no such change request; list those of the project')
  return row
}
