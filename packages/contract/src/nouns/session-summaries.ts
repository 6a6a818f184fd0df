import { createRoute, z } from '@hono/zod-openapi'
import { summaryStates } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, ProjectParams, refusals } from '../kit/common.ts'
import { FilePath } from '../kit/parameters.ts'
import { SessionDiff } from './change-request-records.ts'
import { SessionSummary, SummaryCounts } from './session-summary-records.ts'
import { SessionParams } from './sessions.ts'

export { SessionSummary }

const common = { tags: ['Sessions'], ...reachedBy({ capability: 'project.session.read' }) }

export const listSessionSummaries = createRoute({
  ...common,
  operationId: 'listSessionSummaries',
  summary: 'Summaries for a page: title, phrase and cost of each',
  description:
    'What each is called, does or waits for, has cost and led to. `counts` are of all sessions of the project, by state.',
  method: 'get',
  path: '/v1/projects/{project_id}/session-summaries',
  request: {
    params: ProjectParams,
    query: PageQuery.extend({
      q: z.string().max(200).optional().openapi({ description: 'Part of the title, or the start of the id' }),
      session_id: z.uuid().optional().openapi({ description: 'Only this one, if the rest allows it' }),
      state: z.enum(summaryStates).optional().openapi({ description: 'Only those of this state' }),
      agent: z.string().max(128).optional().openapi({ description: 'Only those of this agent' }),
      mine: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ description: 'With `true` only those that the caller started' }),
    }),
  },
  responses: {
    200: json(
      z.object({
        sessions: z.array(SessionSummary),
        counts: SummaryCounts,
        next_cursor: z.string().nullable(),
      }),
      'One page',
    ),
    ...refusals(400, 403, 404),
  },
})

export const getSessionDiff = createRoute({
  ...common,
  operationId: 'getSessionDiff',
  summary: 'Diff of the work since it parted from its base',
  description:
    'Three-dot from the base branch to the branch of the session, or to its newest checkpoint where that goes on from the branch: work that was not committed is then in it. 404 once the branch is gone.',
  method: 'get',
  path: '/v1/projects/{project_id}/sessions/{session_id}/diff',
  request: { params: SessionParams, query: z.object({ path: FilePath.optional() }) },
  responses: { 200: json(SessionDiff, 'The diff'), ...refusals(400, 403, 404) },
})
