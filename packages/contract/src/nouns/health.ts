import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json } from '../kit/common.ts'

export const getHealth = createRoute({
  tags: ['Service'],
  operationId: 'getHealth',
  ...reachedBy({ public: true }),
  summary: 'Whether the service runs, and which build',
  description:
    'Whether the service is up; it needs no token. `version` and `commit` name the build that answers.',
  method: 'get',
  path: '/v1/health',
  responses: {
    200: json(
      z.object({ status: z.literal('ok'), version: z.string(), commit: z.string() }).openapi('Health'),
      'It runs',
    ),
  },
})
