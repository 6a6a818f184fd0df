import { type RouteConfig, z } from '@hono/zod-openapi'
import { catalogue, type EventType, eventTypes } from '@svc/event/catalogue'
import { json, Timestamp } from '../kit/common.ts'

const headers = z.object({
  'webhook-id': z.string().openapi({ description: 'The `id` of the event: the same each time it is sent' }),
  'webhook-timestamp': z.string().openapi({ description: 'When this try began, in seconds since 1970' }),
  'webhook-signature': z
    .string()
    .openapi({ description: '`v1,<base64>` for each secret in force, with a space between' }),
  'svc-attempt': z.string().openapi({ description: 'Tries of this delivery, this one included' }),
  'svc-replay': z.string().optional().openapi({ description: 'Which replay it is, where it is one' }),
})

/** The requests that subscriptions are sent, a `webhooks` entry of the document for each type. */
export const eventWebhooks: readonly RouteConfig[] = eventTypes.map((type: EventType) => ({
  tags: ['Events'],
  security: [],
  operationId: `event.${type}`,
  summary: catalogue[type].text,
  description:
    'Signed by Standard Webhooks; it may arrive more than once, with the same `webhook-id`. Any 2xx within 15 seconds takes it; 410 ends the subscription.',
  method: 'post',
  path: type,
  request: {
    headers,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            type: z.literal(type),
            timestamp: Timestamp,
            id: z.string(),
            account_id: z.uuid(),
            project_id: z.uuid().nullable(),
            sequence: z.int(),
            data: catalogue[type].data,
          }),
        },
      },
    },
  },
  responses: {
    200: json(z.unknown(), 'Taken'),
    410: { description: 'The subscription is disabled, and nothing more is sent' },
  },
}))
