import type { Context } from '@svc/context'
import type { ChangeRequestRow } from '@svc/db'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'
import { refreshOpen } from './refresh.ts'

export async function getChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal'>,
  input: ChangeRequestInput,
): Promise<{ change_request: ChangeRequestRow }> {
  const { project, row } = await requireChangeRequest(ctx, input, 'project.read')
  const [fresh = row] = await refreshOpen(ctx, project, [row])
  return { change_request: fresh }
}
