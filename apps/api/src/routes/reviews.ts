import { OpenAPIHono } from '@hono/zod-openapi'
import * as verbs from '@svc/connectors'
import { reviews } from '@svc/contract'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

export function reviewRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(reviews.submitReviewItem, async (c) =>
    c.json(
      wire(await verbs.submitReview(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })),
      201,
    ),
  )
  app.openapi(reviews.listReviewItems, async (c) =>
    c.json(
      wire(await verbs.listReviews(c.var.ctx, { ...c.req.valid('query'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(reviews.getReviewItem, async (c) =>
    c.json(wire(await verbs.getReview(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(reviews.actOnReviewItem, async (c) =>
    c.json(
      wire(await verbs.actOnReview(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(reviews.resubmitReviewItem, async (c) =>
    c.json(
      wire(await verbs.resubmitReview(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('param') })),
      200,
    ),
  )
  app.openapi(reviews.withdrawReviewItem, async (c) =>
    c.json(wire(await verbs.withdrawReview(c.var.ctx, c.req.valid('param'))), 200),
  )
  return app
}
