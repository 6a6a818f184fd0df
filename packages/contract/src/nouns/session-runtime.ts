import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { SessionRuntime } from './harness-records.ts'
import { SessionParams } from './sessions.ts'

export { SessionRuntime }

const common = { tags: ['Sessions'] }
const path = '/v1/projects/{project_id}/sessions/{session_id}/runtime'

export const getSessionRuntime = createRoute({
  ...common,
  operationId: 'getSessionRuntime',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'Get the agent program of a session: its abilities, options and commands',
  description: 'As it said last, also while its sandbox is away.',
  method: 'get',
  path,
  request: { params: SessionParams },
  responses: { 200: json(SessionRuntime, 'The runtime'), ...refusals(400, 403, 404) },
})

export const setSessionRuntime = createRoute({
  ...common,
  operationId: 'setSessionRuntime',
  ...reachedBy({ capability: 'project.session.start' }),
  summary: 'Set options of the agent program of a session',
  description:
    'Such as its mode or model. 400 `RUNTIME_OPTION_INVALID` with the `options` that there are; 409 `RUNTIME_UNSUPPORTED` for a runtime without any; 409 `SESSION_NOT_RUNNING` where nothing is up.',
  method: 'patch',
  path,
  request: {
    params: SessionParams,
    body: body(
      z
        .strictObject({
          config: z
            .record(z.string().min(1).max(255), z.union([z.string().max(4096), z.boolean()]))
            .refine((config) => Object.keys(config).length > 0, 'must name at least one option'),
        })
        .openapi('SetSessionRuntime', { example: examples.setSessionRuntime }),
    ),
  },
  responses: { 200: json(SessionRuntime, 'The runtime'), ...refusals(400, 403, 404, 409, 415, 502, 503) },
})
