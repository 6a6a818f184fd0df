import { createRoute, z } from '@hono/zod-openapi'
import { maintenanceModes } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { json, Timestamp } from '../kit/common.ts'

const Maintenance = z
  .object({
    mode: z.enum(maintenanceModes),
    message: z.string().nullable(),
    retry_after_seconds: z.number().int(),
    until: Timestamp.nullable(),
  })
  .openapi('Maintenance')

export const getHealth = createRoute({
  tags: ['Service'],
  operationId: 'getHealth',
  ...reachedBy({ public: true }),
  summary: 'Whether the service runs, and which build',
  description:
    'Whether the service is up; it needs no token. `version` and `commit` name the build that answers. `maintenance` says whether the platform is closed: in `drain` nothing starts, in `read_only` nothing can be changed either; the message is for people.',
  method: 'get',
  path: '/v1/health',
  responses: {
    200: json(
      z
        .object({
          status: z.literal('ok'),
          version: z.string(),
          commit: z.string(),
          maintenance: Maintenance,
        })
        .openapi('Health'),
      'It runs',
    ),
  },
})
