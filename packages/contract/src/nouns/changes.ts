import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { refusals } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

export const followChanges = createRoute({
  tags: ['Inbox'],
  operationId: 'followChanges',
  ...reachedBy({ any_person: true }),
  summary: 'Follow what changes in your projects, as an event stream',
  description:
    '`hello` first, and again where changes may have been missed: read anew what you show. Then `changed` with `kind`, `project_id` and `id` within a second of the row, several at once told once. Kinds are `session`, `question`, `permission` (`id` is the session), `change_request`, `trigger` (`id` is the slug), `manifest`, `secret` and `project` (`id` is the project), `review`, `approval` and `unknown_call` (`id` is the call), `connector` (`id` is the slug) and `connection`, `channel` (what came in by it and goes out as well); `notification` has no `project_id`, and your own `id`; there may be more. Where one was removed, `id` may be the project’s. Nothing is kept: a stream has no place to resume from, and ends after ten minutes.',
  method: 'get',
  path: '/v1/changes',
  responses: {
    200: {
      description: 'The stream',
      content: { 'text/event-stream': { schema: z.string(), example: examples.changeStream } },
    },
    ...refusals(400, 403),
  },
})
