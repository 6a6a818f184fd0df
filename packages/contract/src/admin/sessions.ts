import { createRoute, z } from '@hono/zod-openapi'
import { failureCategories, sessionMachine, sessionOrigins } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, ProjectId, SessionId } from '../kit/parameters.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/sessions'
const status = z.enum(sessionMachine.states)

const OperatedSession = z
  .object({
    session_id: z.uuid(),
    account_id: z.uuid(),
    account_name: z.string(),
    project_id: z.uuid(),
    project_slug: z.string(),
    status,
    name: z.string().nullable(),
    agent_name: z.string(),
    origin: z.enum(sessionOrigins),
    machine: z.string().nullable(),
    failure: z
      .object({ category: z.enum(failureCategories), message: z.string(), retryable: z.boolean() })
      .nullable()
      .openapi({ description: 'Without the output of the sandbox' }),
    created_by: z.uuid(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .openapi('OperatedSession')

export const listAllSessions = createRoute({
  ...common,
  operationId: 'listAllSessions',
  summary: 'List the sessions of every account, the newest first',
  description: 'Without deleted ones, and without what was said in them.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      q: text(255).min(1).optional().openapi({
        description: 'A session’s id, its `external_id`, branch, project’s slug or a part of its name',
      }),
      status: status.optional().openapi({ description: 'Only those in this status' }),
      account_id: AccountId.optional(),
      project_id: ProjectId.optional(),
      agent: text(255).optional().openapi({ description: 'Only those of this agent' }),
      machine: text(255).optional().openapi({ description: 'Only those whose sandbox is on this machine' }),
      since: Timestamp.optional().openapi({ description: 'Created at this instant or later' }),
      until: Timestamp.optional().openapi({ description: 'Created before this instant' }),
    }),
  },
  responses: {
    200: json(
      z
        .object({ sessions: z.array(OperatedSession), next_cursor: z.string().nullable() })
        .openapi('OperatedSessionPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

const work = z.enum(['provision', 'deliver', 'stop', 'destroy', 'check'])

export const rerunSession = createRoute({
  ...common,
  operationId: 'rerunSession',
  summary: 'Ask a worker for work of a session',
  description:
    'What its row does not ask for is 409 `WORK_NOT_OWED`. `check` looks whether the sandbox of a running session lives.',
  method: 'post',
  path: `${base}/{session_id}/rerun`,
  request: {
    params: z.object({ session_id: SessionId }),
    body: body(z.strictObject({ work }).openapi('RerunSession', { example: examples.rerunSession })),
  },
  responses: {
    202: json(z.object({ session_id: z.uuid(), work }).openapi('RerunWork'), 'Asked for'),
    ...refusals(400, 403, 404, 409, 415),
  },
})
