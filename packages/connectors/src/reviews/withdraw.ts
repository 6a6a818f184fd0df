import { audited, type Context } from '@svc/context'
import { type ReviewItemRow, reviewItems } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofReview, requireOpen, requireReview, type ReviewInput } from './find-review.ts'
import { requireOwnReview } from './own-review.ts'
import { reportState } from './report-state.ts'

type Withdrawing = Pick<Context, 'db' | 'principal' | 'trail' | 'now' | 'newId' | 'metrics'>

/** Takes back an item that has no verdict yet. */
export async function withdrawReview(ctx: Withdrawing, input: ReviewInput): Promise<ReviewItemRow> {
  const { project, row } = await requireReview(ctx, input, 'project.review.submit')
  requireOwnReview(ctx, row)
  requireOpen(row, row.version)
  return audited(ctx, ofReview('withdrawReviewItem', project, row, { version: row.version }), async (tx) => {
    const taken = await reviewItems.apply(
      tx,
      row,
      row.version,
      { event: 'withdraw', change: null },
      ctx.now(),
    )
    if (taken === undefined) {
      requireOpen((await reviewItems.find(tx, row)) ?? row, row.version)
      throw new ServiceError('conflict', 'The item moved while it was withdrawn; read it and try again')
    }
    await reportState(ctx, tx, taken)
    return taken
  })
}
