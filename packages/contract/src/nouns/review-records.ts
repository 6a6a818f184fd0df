import { z } from '@hono/zod-openapi'
import { reviewKinds, reviewMachine, reviewRisks } from '@svc/connector/states'
import { text, Timestamp } from '../kit/common.ts'
import { limits } from '../kit/limits.ts'

export const reviewSummary = text(limits.reviewSummaryBytes)
  .refine(
    (value) => new TextEncoder().encode(value).length <= limits.reviewSummaryBytes,
    `must be at most ${limits.reviewSummaryBytes} bytes of UTF-8; put longer texts into a file of the repository`,
  )
  .openapi({ description: 'Markdown' })

export const ReviewOption = z
  .strictObject({ id: text(64).min(1), label: text(200).min(1) })
  .openapi('ReviewOption')

export const ReviewItem = z
  .object({
    review_id: z.uuid(),
    project_id: z.uuid(),
    session_id: z
      .uuid()
      .nullable()
      .openapi({ description: 'The session that submitted it, and that gets the verdict' }),
    kind: z.enum(reviewKinds),
    title: z.string(),
    summary: z.string().openapi({ description: 'Markdown' }),
    risk: z.enum(reviewRisks).openapi({ description: 'As its submitter sees it' }),
    files: z
      .array(z.object({ path: z.string(), commit_sha: z.string() }))
      .openapi({ description: 'As they were when they were shown' }),
    options: z.array(ReviewOption).openapi({ description: 'Of a `decision`; else empty' }),
    url: z.string().nullable(),
    status: z.enum(reviewMachine.states),
    version: z.int().openapi({ description: 'Grows with each resubmit' }),
    verdict_by: z.uuid().nullable(),
    feedback: z.string().nullable(),
    option: z.string().nullable().openapi({ description: 'The id of the option that was chosen' }),
    decided_at: Timestamp.nullable(),
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('ReviewItem')
