import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, PageQuery, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { InboxItemId, ProjectId, SessionId } from '../kit/parameters.ts'
import { Inbox, InboxActResult, InboxCount, InboxItem, InboxKind, inboxVerdicts } from './inbox-records.ts'

export { Inbox, InboxActResult, InboxCount, InboxItem }

const common = { tags: ['Inbox'], ...reachedBy({ any_person: true }) }
const version = text(255).min(1)
const until = Timestamp.optional()

export const getInbox = createRoute({
  ...common,
  operationId: 'getInbox',
  summary: 'List what waits for you, over all projects',
  description:
    'Asks of agents by the time at which they expire, then the others, the newest first. What you marked as done, or snoozed, is left out until there is another version of it.',
  method: 'get',
  path: '/v1/inbox',
  request: {
    query: PageQuery.extend({
      kind: InboxKind.optional().openapi({ description: 'Only those of this kind' }),
      project_id: ProjectId.optional(),
      session_id: SessionId.optional(),
    }),
  },
  responses: { 200: json(Inbox, 'One page'), ...refusals(400, 403) },
})

export const countInbox = createRoute({
  ...common,
  operationId: 'countInbox',
  summary: 'Count what waits for you',
  description: '`If-None-Match` with the `ETag` answers 304 while the counts are the same.',
  method: 'get',
  path: '/v1/inbox/count',
  responses: { 200: json(InboxCount, 'The counts'), 304: { description: 'Unchanged' }, ...refusals(403) },
})

export const markInboxItem = createRoute({
  ...common,
  operationId: 'markInboxItem',
  summary: 'Put an item aside',
  description:
    'A mark is about one version of the item: another one is back. A snoozed item is back at `until`, by default in a day. 409 `ASK_PENDING` for what an agent waits for: answer it in its session.',
  method: 'put',
  path: '/v1/inbox/{item_id}',
  request: {
    params: z.object({ item_id: InboxItemId }),
    body: body(
      z
        .strictObject({ version, state: z.enum(['done', 'snoozed']), until })
        .openapi('MarkInboxItem', { example: examples.markInboxItem }),
    ),
  },
  responses: { 204: { description: 'Marked' }, ...refusals(400, 403, 404, 409, 415) },
})

export const actOnInbox = createRoute({
  ...common,
  operationId: 'actOnInbox',
  summary: 'Decide on up to 50 items',
  description:
    'Each on its own: one that is refused leaves the others alone. `dismiss` is done, `snooze` puts it aside for a while; `approve` is for items that are `safe`.',
  method: 'post',
  path: '/v1/inbox/act',
  request: {
    body: body(
      z
        .strictObject({
          items: z
            .array(z.strictObject({ item_id: InboxItemId, version, verdict: z.enum(inboxVerdicts), until }))
            .min(1)
            .max(50),
        })
        .openapi('ActOnInbox', { example: examples.actOnInbox }),
    ),
  },
  responses: {
    200: json(z.object({ results: z.array(InboxActResult) }), 'What became of each, in order'),
    ...refusals(400, 403, 415),
  },
})
