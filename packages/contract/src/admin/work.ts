import { createRoute, z } from '@hono/zod-openapi'
import { workKinds } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals, Timestamp } from '../kit/common.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/work'

export const WorkKind = z
  .enum(workKinds)
  .openapi({ description: 'The work: of a session, a merge, an edit of the manifest, or a trigger' })

const OwedWork = z
  .object({
    work_id: z.string(),
    kind: WorkKind,
    account_id: z.uuid(),
    project_id: z.uuid(),
    session_id: z.uuid().nullable(),
    since: Timestamp,
    attempts: z.int().openapi({ description: 'How often it failed since it last worked' }),
    last_error: z.string().nullable(),
    claimed_by: z.string().nullable().openapi({ description: 'The worker that is at it now' }),
  })
  .openapi('OwedWork')

export const listOwedWork = createRoute({
  ...common,
  operationId: 'listOwedWork',
  summary: 'List the work that rows are owed, the longest first',
  description: 'Whatever the queue holds. Stuck is what is owed for 10 minutes and no worker is at.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      kind: WorkKind.optional(),
      stuck: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .openapi({ description: 'Only what is stuck', type: 'boolean' }),
    }),
  },
  responses: {
    200: json(
      z.object({ work: z.array(OwedWork), next_cursor: z.string().nullable() }).openapi('OwedWorkPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

export const runWork = createRoute({
  ...common,
  operationId: 'runWork',
  summary: 'Ask for a worker now',
  description: 'What its row no longer owes is 409 `WORK_NOT_OWED`.',
  method: 'post',
  path: `${base}/{work_id}/run`,
  request: {
    params: z.object({
      work_id: z.string().min(1).max(100).openapi({ description: 'The work, as the list names it' }),
    }),
  },
  responses: {
    202: json(z.object({ work_id: z.string() }).openapi('RequestedWork'), 'Asked for'),
    ...refusals(400, 403, 409),
  },
})
