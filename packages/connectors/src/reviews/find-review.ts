import { type AccessibleProject, type AuditEntry, type Context, requireProject } from '@svc/context'
import { type ReviewItemRow, reviewItems } from '@svc/db'
import { ServiceError } from '@svc/errors'

export type Looking = Pick<Context, 'db' | 'principal' | 'trail'>

export interface ReviewInput {
  readonly project_id: string
  readonly review_id: string
}

export interface FoundReview {
  readonly project: AccessibleProject
  readonly row: ReviewItemRow
}

type Capability = Parameters<typeof requireProject>[2]

/** The item, once the principal was found to hold `capability` on its project. */
export async function requireReview(
  ctx: Looking,
  input: ReviewInput,
  capability: Capability,
): Promise<FoundReview> {
  const project = await requireProject(ctx, input.project_id, capability)
  const row = await reviewItems.find(ctx.db, input)
  if (row === undefined)
    throw new ServiceError('not_found', 'There is no such review item here; list them again')
  return { project, row }
}

/** The event of something that was done to an item. */
export function ofReview(
  action: string,
  { account_id }: AccessibleProject,
  item: Pick<ReviewItemRow, 'project_id' | 'review_id' | 'session_id'>,
  details: Readonly<Record<string, unknown>> = {},
): AuditEntry {
  const { project_id, review_id, session_id } = item
  const target = `projects/${project_id}/review/items/${review_id}`
  return { account_id, project_id, session_id, action, target, details }
}

/** Refuses an item that moved on: another version, or one that no person is asked about. */
export function requireOpen(row: ReviewItemRow, version: number): void {
  const { status, version: current, review_id } = row
  if (version !== current)
    throw new ServiceError(
      'REVIEW_STALE',
      `The item is at version ${current}, and the verdict is on version ${version}; look at it again`,
      { review_id, version: current, review_status: status },
    )
  if (status !== 'needs_you')
    throw new ServiceError(
      'REVIEW_NOT_OPEN',
      `The item is ${status.replace('_', ' ')} and takes no verdict; it is decided once for each version`,
      { review_id, version: current, review_status: status },
    )
}
