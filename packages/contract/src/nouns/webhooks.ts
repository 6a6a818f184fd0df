import { createRoute, z } from '@hono/zod-openapi'
import { slugPattern } from '@svc/facts'
import { reachedBy } from '../kit/access.ts'
import { json, refusals } from '../kit/common.ts'
import { ProjectId } from '../kit/parameters.ts'
import { Skipped, WebhookAnswer } from './trigger-records.ts'

export { WebhookAnswer }

/** The body may be anything, so that its bytes reach the signature as they came. */
export const receiveWebhook = createRoute({
  tags: ['Webhooks'],
  operationId: 'receiveWebhook',
  ...reachedBy({ public: true }),
  summary: 'Deliver an event to a webhook trigger',
  description:
    'Signed with the secret that `secret_env` names: `X-Svc-Signature` or `X-Hub-Signature-256` (HMAC-SHA256 of the raw body), or `webhook-signature` of Standard Webhooks. Without a signature header, `X-Svc-Token`, a bearer token or the password of Basic. The body is up to 1 MiB of anything.',
  method: 'post',
  path: '/v1/webhooks/projects/{project_id}/{slug}',
  request: {
    params: z.object({
      project_id: ProjectId,
      slug: z
        .string()
        .regex(slugPattern, 'must be the slug of a trigger')
        .openapi({ description: 'The slug of the trigger in the manifest' }),
    }),
  },
  responses: {
    200: json(Skipped, 'Kept and not wanted: paused, or the filter does not match'),
    202: json(WebhookAnswer, 'Kept; it fires, waits its turn, or was here before'),
    ...refusals(400, 404, 409, 413),
  },
})
