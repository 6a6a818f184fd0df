import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { SessionParams } from './sessions.ts'

export const PreviewTicket = z
  .object({
    url: z.string().openapi({ description: 'Works once; opens the port at a host name of its own' }),
    expires_at: Timestamp.openapi({ description: 'Until when `url` may be opened' }),
  })
  .openapi('PreviewTicket')

export const createPreviewTicket = createRoute({
  tags: ['Sessions'],
  operationId: 'createPreviewTicket',
  ...reachedBy({ capability: 'project.session.read' }),
  summary: 'Get an address at which a browser sees a port of the sandbox',
  description:
    'The address works once, within 60 s. Its ticket becomes a cookie of a host name that belongs to this port alone, and that no cookie of the platform is sent to; pages, event streams and WebSockets go through. It shows the port for at most 12 hours, and only as long as the credential that asked for it may. A caller who asks for more than 16 of one session ends their oldest. 403 for the ports 22, 4096 and 8000; 409 `SESSION_NOT_RUNNING` where nothing is up; 422 `preview_host_missing` where the platform has no host name for previews.',
  method: 'post',
  path: '/v1/projects/{project_id}/sessions/{session_id}/preview-tickets',
  request: {
    params: SessionParams,
    body: body(
      z
        .strictObject({
          port: z
            .int()
            .min(1)
            .max(65_535)
            .openapi({ description: 'The port that a program in the sandbox listens on' }),
        })
        .openapi('CreatePreviewTicket', { example: examples.createPreviewTicket }),
    ),
  },
  responses: {
    201: json(PreviewTicket, 'The address'),
    ...refusals(400, 403, 404, 409, 415, 422, 502),
  },
})
