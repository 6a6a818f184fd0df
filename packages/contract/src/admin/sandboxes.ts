import { createRoute, z } from '@hono/zod-openapi'
import { sandboxMachine } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals, text, Timestamp } from '../kit/common.ts'
import { SessionId } from '../kit/parameters.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/sandboxes'
const status = z.enum(sandboxMachine.states)

const Sandbox = z
  .object({
    session_id: z.uuid(),
    account_id: z.uuid(),
    project_id: z.uuid(),
    machine: z.string().nullable(),
    provider: z.string().nullable(),
    external_id: z.string().nullable(),
    status,
    last_active_at: Timestamp,
    lease_expires_at: Timestamp.nullable().openapi({ description: 'Until when it is busy' }),
  })
  .openapi('Sandbox')

export const listSandboxes = createRoute({
  ...common,
  operationId: 'listSandboxes',
  summary: 'List sandboxes, the last used first',
  description: 'Archived ones only when they are asked for.',
  method: 'get',
  path: base,
  request: {
    query: PageQuery.extend({
      machine: text(255).optional().openapi({ description: 'Only those on this machine' }),
      provider: text(64).optional().openapi({ description: 'Only those of this provider' }),
      status: status.optional().openapi({ description: 'Only those in this status' }),
    }),
  },
  responses: {
    200: json(
      z.object({ sandboxes: z.array(Sandbox), next_cursor: z.string().nullable() }).openapi('SandboxPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

export const stopSandbox = createRoute({
  ...common,
  operationId: 'stopSandbox',
  summary: 'Stop the sandbox of a session',
  description:
    'Its work is saved first; its files are kept. The session tells `stop_reason` `operator`. One that is not live stays as it is.',
  method: 'post',
  path: `${base}/{session_id}/stop`,
  request: { params: z.object({ session_id: SessionId }) },
  responses: {
    202: json(z.object({ session_id: z.uuid() }).openapi('StoppedSandbox'), 'It is being stopped'),
    ...refusals(400, 403, 404),
  },
})
