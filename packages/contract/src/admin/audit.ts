import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals } from '../kit/common.ts'
import { AuditEvent } from '../nouns/audit.ts'

const PlatformAuditEvent = AuditEvent.extend({
  seq: z.int().openapi({ description: 'The place in the chain of the platform, from 1' }),
  account_id: z.uuid().nullable().openapi({ description: 'The account that it concerns' }),
}).openapi('PlatformAuditEvent')

export const listPlatformAudit = createRoute({
  tags: ['Platform audit'],
  ...reachedBy({ platform_admin: true }),
  operationId: 'listPlatformAudit',
  summary: 'List what platform admins changed, newest first',
  description:
    'A chain of its own. What concerns an account is in its chain as well, with `by_operator` in the details.',
  method: 'get',
  path: '/v1/admin/audit',
  request: { query: PageQuery },
  responses: {
    200: json(
      z
        .object({ events: z.array(PlatformAuditEvent), next_cursor: z.string().nullable() })
        .openapi('PlatformAuditPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})
