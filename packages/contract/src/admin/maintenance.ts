import { createRoute, z } from '@hono/zod-openapi'
import { maintenanceModes } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const common = { tags: ['Maintenance'], ...reachedBy({ platform_admin: true }) }
const path = '/v1/admin/maintenance'
const Mode = z.enum(maintenanceModes).openapi({
  description: '`drain`: nothing new starts, prompts and fires wait. `read_only`: nor is anything written',
})

export const PlatformMaintenance = z
  .object({
    mode: Mode,
    message: z.string().nullable(),
    retry_after_seconds: z.int(),
    until: Timestamp.nullable(),
    by: z.uuid().nullable().openapi({ description: 'The person who changed it last' }),
    at: Timestamp,
  })
  .openapi('PlatformMaintenance')

export const getMaintenance = createRoute({
  ...common,
  operationId: 'getMaintenance',
  summary: 'Tell whether the platform is closed',
  description: '`/v1/health` tells it to all callers, without the person.',
  method: 'get',
  path,
  responses: { 200: json(PlatformMaintenance, 'As it is now'), ...refusals(403) },
})

export const setMaintenance = createRoute({
  ...common,
  operationId: 'setMaintenance',
  summary: 'Close the platform, or open it again',
  description:
    'What is closed is 503 `maintenance` with the message and `Retry-After`. In `drain` new sessions, starts and restarts ' +
    'are; prompts, fires of triggers and creates that wait are kept and go on at the end. In `read_only` every write of ' +
    'people and agents is closed as well, pushes among them; sandboxes report, webhooks are kept, people sign in, and this ' +
    'surface works. All processes follow within 6 seconds. `until` ends it by itself.',
  method: 'put',
  path,
  request: {
    body: body(
      z
        .strictObject({
          mode: Mode,
          message: text(500).min(1).optional(),
          retry_after_seconds: z.int().min(1).max(3_600).default(60),
          until: Timestamp.optional().openapi({ description: 'In the future' }),
        })
        .openapi('SetMaintenance', { example: examples.setMaintenance }),
    ),
  },
  responses: { 200: json(PlatformMaintenance, 'As it is now'), ...refusals(400, 403, 415) },
})
