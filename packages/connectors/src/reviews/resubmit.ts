import { reviewMachine } from '@svc/connector/states'
import { audited } from '@svc/context'
import { type ReviewItemRow, reviewItems, type ReviewOption, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofReview, requireReview, type ReviewInput } from './find-review.ts'
import { fixFiles } from './fix-files.ts'
import { judgeOptions } from './judge-options.ts'
import { requireOwnReview } from './own-review.ts'
import { full, maxOpenReviews, type Submitting } from './submit.ts'
import { reportState } from './report-state.ts'

export interface ResubmitReviewInput extends ReviewInput {
  readonly title?: string | undefined
  readonly summary?: string | undefined
  /** Without it, the same files as they are by now. */
  readonly files?: readonly string[] | undefined
  readonly options?: readonly ReviewOption[] | undefined
  readonly url?: string | undefined
}

/** Shows the next version of an item that changes were requested on. What is not named stays, files as they are now. */
export async function resubmitReview(ctx: Submitting, input: ResubmitReviewInput): Promise<ReviewItemRow> {
  const { project, row } = await requireReview(ctx, input, 'project.review.submit')
  requireOwnReview(ctx, row)
  requireChangesRequested(row)
  const { project_id, session_id, kind } = row
  const { title = row.title, summary = row.summary, options = row.options, url = row.url } = input
  judgeOptions(kind, options)
  const session = session_id === null ? undefined : await sessions.find(ctx.db, { project_id, session_id })
  const paths = input.files ?? row.files.map(({ path }) => path)
  const files = await fixFiles(ctx, project, session?.branch_name ?? project.default_branch, paths)
  const change = { title, summary, files, options, url }
  return audited(
    ctx,
    ofReview('resubmitReviewItem', project, row, { version: row.version + 1 }),
    async (tx) => {
      if ((await reviewItems.countOpen(tx, row)) >= maxOpenReviews) throw full()
      const next = await reviewItems.apply(tx, row, row.version, { event: 'resubmit', change }, ctx.now())
      if (next === undefined) {
        requireChangesRequested((await reviewItems.find(tx, row)) ?? row)
        throw new ServiceError('conflict', 'The item moved while it was resubmitted; read it and try again')
      }
      await reportState(ctx, tx, next)
      return next
    },
  )
}

function requireChangesRequested({ status, version, review_id }: ReviewItemRow): void {
  if (reviewMachine.accepts(status, 'resubmit')) return
  throw new ServiceError(
    'REVIEW_NOT_OPEN',
    `The item is ${status.replace('_', ' ')}; only one that changes were requested on is resubmitted`,
    { review_id, version, review_status: status },
  )
}
