import type { Context } from '@svc/context'
import type { ReviewItemRow } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** Refuses callers that did not submit the item: a session its own, a person what they submitted outside of sessions. */
export function requireOwnReview({ principal }: Pick<Context, 'principal'>, row: ReviewItemRow): void {
  const is_own =
    principal.type === 'session'
      ? principal.session_id === row.session_id
      : row.session_id === null && 'user_id' in principal && principal.user_id === row.created_by
  if (is_own) return
  throw new ServiceError(
    'forbidden',
    'Only the session or the person that submitted an item resubmits or withdraws it; give a verdict instead',
    { action: 'project.review.submit' },
  )
}
