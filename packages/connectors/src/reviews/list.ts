import type { ReviewStatus } from '@svc/connector/states'
import { decodeCursor, encodeCursor, requireProject } from '@svc/context'
import { type ReviewItemRow, reviewItems } from '@svc/db'
import { z } from 'zod'
import { type Looking, requireReview, type ReviewInput } from './find-review.ts'

export interface ListReviewsInput {
  readonly project_id: string
  readonly status: ReviewStatus | 'all'
  readonly session_id?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

const Cursor = z.object({ created_at: z.iso.datetime(), review_id: z.uuid() })

/** A page of the items of a project, the newest first. */
export async function listReviews(ctx: Looking, input: ListReviewsInput) {
  const { project_id, status, session_id, limit, cursor } = input
  const after = cursor === undefined ? undefined : decodeCursor(Cursor, cursor)
  await requireProject(ctx, project_id, 'project.review.read')
  const rows = await reviewItems.list(ctx.db, {
    ...{ project_id, session_id, limit: limit + 1 },
    status: status === 'all' ? undefined : status,
    before: after && { review_id: after.review_id, created_at: new Date(after.created_at) },
  })
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return {
    items,
    ...(last && {
      next_cursor: encodeCursor({ created_at: last.created_at.toISOString(), review_id: last.review_id }),
    }),
  }
}

export async function getReview(ctx: Looking, input: ReviewInput): Promise<ReviewItemRow> {
  return (await requireReview(ctx, input, 'project.review.read')).row
}
