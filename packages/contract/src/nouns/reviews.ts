import { createRoute, z } from '@hono/zod-openapi'
import { reviewKinds, reviewMachine, reviewRisks, reviewVerdicts } from '@svc/connector/states'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, ProjectParams, refusals, text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'
import { ProjectId, ReviewId } from '../kit/parameters.ts'
import { ReviewItem, ReviewOption, reviewSummary } from './review-records.ts'

export { ReviewItem, ReviewOption }

const common = { tags: ['Reviews'] }
const base = '/v1/projects/{project_id}/review/items'
const params = z.object({ project_id: ProjectId, review_id: ReviewId })

const fields = {
  title: text(limits.reviewTitleLength)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank'),
  files: z
    .array(text(4096).min(1))
    .max(limits.reviewFiles)
    .openapi({ description: "Paths on the session's branch, or on the default branch for a person" }),
  options: z
    .array(ReviewOption)
    .max(limits.reviewOptions)
    .openapi({ description: '2 to 9, of a `decision`' }),
  url: z
    .url({ protocol: /^https$/ })
    .max(2048)
    .openapi({ description: 'Where there is more to see; https' }),
}

export const submitReviewItem = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.submit' }),
  operationId: 'submitReviewItem',
  summary: 'Ask people to look at work, or to choose between options',
  description:
    'A session shows what it made, or asks for a decision, and gets the verdict as a prompt. Files are tied to the commit that the branch is at: 404 names one that is not there. 50 wait at once for each session.',
  method: 'post',
  path: base,
  request: {
    params: ProjectParams,
    body: body(
      z
        .strictObject({
          title: fields.title,
          summary: reviewSummary.default(''),
          kind: z.enum(reviewKinds).default('output'),
          risk: z.enum(reviewRisks).default('medium'),
          files: fields.files.default([]),
          options: fields.options.default([]),
          url: fields.url.optional(),
        })
        .openapi('SubmitReviewItem', { example: examples.submitReviewItem }),
    ),
  },
  responses: { 201: json(ReviewItem, 'The item'), ...refusals(400, 403, 404, 409, 415) },
})

export const listReviewItems = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.read' }),
  operationId: 'listReviewItems',
  summary: 'List review items, newest first',
  description: 'Open and decided ones, by `status`. `next_cursor` is absent on the last page.',
  method: 'get',
  path: base,
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      status: z
        .enum([...reviewMachine.states, 'all'])
        .default('all')
        .openapi({ description: 'Only those of this status' }),
      session_id: z.uuid().optional().openapi({ description: 'Only those that this session submitted' }),
    }),
  },
  responses: {
    200: json(z.object({ items: z.array(ReviewItem), next_cursor: z.string().optional() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const getReviewItem = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.read' }),
  operationId: 'getReviewItem',
  summary: 'Read a review item',
  description: 'With the verdict, once there is one.',
  method: 'get',
  path: `${base}/{review_id}`,
  request: { params },
  responses: { 200: json(ReviewItem, 'The item'), ...refusals(400, 403, 404) },
})

export const actOnReviewItem = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.act' }),
  operationId: 'actOnReviewItem',
  summary: 'Give a verdict on a review item',
  description:
    'On the `version` that was looked at: an older one is 409 `REVIEW_STALE`, an item that takes no verdict 409 `REVIEW_NOT_OPEN`. `request_changes` needs `feedback`, the approval of a `decision` an `option`. Its session gets the verdict as a prompt, and is woken. A session decides on nothing that its own tree has shown: 403 `REVIEW_SELF_ACT_REFUSED`.',
  method: 'post',
  path: `${base}/{review_id}/act`,
  request: {
    params,
    body: body(
      z
        .strictObject({
          verdict: z.enum(reviewVerdicts),
          version: z.int().min(1).max(2_147_483_647),
          feedback: reviewSummary.optional().openapi({ description: 'What the submitter is told' }),
          option: text(64).min(1).optional().openapi({ description: 'The id of the option that is chosen' }),
        })
        .openapi('ActOnReviewItem', { example: examples.actOnReviewItem }),
    ),
  },
  responses: { 200: json(ReviewItem, 'The item with the verdict'), ...refusals(400, 403, 404, 409, 415) },
})

export const resubmitReviewItem = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.submit' }),
  operationId: 'resubmitReviewItem',
  summary: 'Show the next version of a review item on which changes were requested',
  description:
    'By the session or the person that submitted it. What is left out stays; files are taken as they are by now. Else 409 `REVIEW_NOT_OPEN`.',
  method: 'post',
  path: `${base}/{review_id}/resubmit`,
  request: {
    params,
    body: body(
      z
        .strictObject({
          title: fields.title.optional(),
          summary: reviewSummary.optional(),
          files: fields.files.optional(),
          options: fields.options.optional(),
          url: fields.url.optional(),
        })
        .openapi('ResubmitReviewItem', { example: examples.resubmitReviewItem }),
      false,
    ),
  },
  responses: { 200: json(ReviewItem, 'The next version'), ...refusals(400, 403, 404, 409, 415) },
})

export const withdrawReviewItem = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.review.submit' }),
  operationId: 'withdrawReviewItem',
  summary: 'Take back a review item that has no verdict yet',
  description: 'By the session or the person that submitted it. Else 409 `REVIEW_NOT_OPEN`.',
  method: 'post',
  path: `${base}/{review_id}/withdraw`,
  request: { params },
  responses: { 200: json(ReviewItem, 'The item'), ...refusals(400, 403, 404, 409) },
})
