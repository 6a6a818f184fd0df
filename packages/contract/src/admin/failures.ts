import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals, text, Timestamp } from '../kit/common.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/failures'

const JobFailure = z
  .object({
    failure_id: z.uuid(),
    queue: z.string(),
    job: z.string(),
    ids: z.record(z.string(), z.string()).openapi({ description: 'The row that it is about' }),
    error: z.string().openapi({ description: 'Without secrets, and without what a sandbox printed' }),
    attempts: z.int().openapi({ description: 'How often it failed since it last succeeded' }),
    request_id: z
      .string()
      .nullable()
      .openapi({ description: 'The request behind the job, as the logs name it, or `sweep`' }),
    failed_at: Timestamp,
    resolved_at: Timestamp.nullable().openapi({ description: 'When the same job next succeeded' }),
  })
  .openapi('JobFailure')

export const listFailures = createRoute({
  ...common,
  operationId: 'listFailures',
  summary: 'List jobs that failed, the newest first',
  description: 'One row for each job of a row; also what a later success resolved.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      queue: text(64).optional().openapi({ description: 'Only those of this queue' }),
      job: text(64).optional().openapi({ description: 'Only this job, such as `sandbox.provision`' }),
    }),
  },
  responses: {
    200: json(
      z
        .object({ failures: z.array(JobFailure), next_cursor: z.string().nullable() })
        .openapi('JobFailurePage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

export const retryFailure = createRoute({
  ...common,
  operationId: 'retryFailure',
  summary: 'Ask for a failed job again',
  description: 'Its success resolves the failure.',
  method: 'post',
  path: `${base}/{failure_id}/retry`,
  request: { params: z.object({ failure_id: z.uuid().openapi({ description: 'The failure' }) }) },
  responses: {
    202: json(z.object({ failure_id: z.uuid() }).openapi('RetriedFailure'), 'Asked for'),
    ...refusals(400, 403, 404, 409),
  },
})
