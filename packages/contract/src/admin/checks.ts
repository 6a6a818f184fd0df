import { createRoute, z } from '@hono/zod-openapi'
import { checkNames } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const common = { tags: ['Checks'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/checks'

const CheckName = z.enum(checkNames).openapi({ description: 'The check, as the operations page has them' })
const RunState = z
  .enum(['running', 'done', 'failed'])
  .openapi({ description: '`failed`: a check could not be made; the others were' })

export const Finding = z
  .object({
    check: CheckName,
    severity: z.enum(['error', 'warning']),
    project_id: z.uuid().nullable(),
    subject: z.string().openapi({ description: 'The thing that differs, as a path' }),
    message: z.string(),
    repairable: z.boolean().openapi({ description: 'A run with `repair` puts it right' }),
    repaired: z.boolean().openapi({ description: 'This run did' }),
  })
  .openapi('CheckFinding')

export const startChecks = createRoute({
  ...common,
  operationId: 'startChecks',
  summary: 'Compare rows with what is there',
  description:
    'Workers make the checks; the answer does not wait for them. With `repair` what can safely be put right is. With ' +
    '`project_id` the checks of projects look at that one, and those of the whole platform are left out.',
  method: 'post',
  path: base,
  request: {
    body: body(
      z
        .strictObject({
          checks: z.array(CheckName).min(1).max(checkNames.length).optional(),
          project_id: z.uuid().optional(),
          repair: z.boolean().default(false),
        })
        .openapi('StartChecks', { example: examples.startChecks }),
    ),
  },
  responses: {
    202: json(z.object({ run_id: z.uuid(), state: RunState }).openapi('StartedChecks'), 'Asked for'),
    ...refusals(400, 403, 404, 415),
  },
})

export const getChecks = createRoute({
  ...common,
  operationId: 'getChecks',
  summary: 'What a run of checks found',
  method: 'get',
  path: `${base}/{run_id}`,
  request: { params: z.object({ run_id: z.uuid().openapi({ description: 'The run' }) }) },
  responses: {
    200: json(
      z
        .object({
          run_id: z.uuid(),
          state: RunState,
          findings: z.array(Finding),
          started_at: Timestamp,
          finished_at: Timestamp.nullable(),
        })
        .openapi('CheckRun'),
      'The run',
    ),
    ...refusals(400, 403, 404),
  },
})
