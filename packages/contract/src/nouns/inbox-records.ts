import { z } from '@hono/zod-openapi'
import { inboxKinds } from '@svc/facts'
import { Timestamp } from '../kit/common.ts'

export const InboxKind = z.enum(inboxKinds)

/** The verdicts that a person may give on an item. An ask is answered in its session. */
export const inboxVerdicts = ['dismiss', 'snooze', 'approve'] as const

export const InboxItem = z
  .object({
    item_id: z.string().openapi({ description: '`<kind>:<id>`' }),
    version: z.string().openapi({
      description: 'Changes with what there is to look at; a mark holds for one version',
    }),
    kind: InboxKind,
    project_id: z.uuid().nullable(),
    project_name: z.string().nullable(),
    session_id: z.uuid().nullable(),
    cr_number: z.int().nullable(),
    request_id: z.string().nullable().openapi({ description: 'Of an ask, for `…/asks/{request_id}`' }),
    slug: z.string().nullable().openapi({ description: 'Of a trigger' }),
    fire_id: z.uuid().nullable(),
    title: z.string().openapi({ description: 'The thing, such as the session or the change request' }),
    phrase: z.string().openapi({ description: 'What there is to do about it, in a sentence' }),
    risk: z.enum(['low', 'medium', 'high']).nullable(),
    safe: z.boolean().openapi({ description: 'May be approved together with others' }),
    at: Timestamp,
    expires_at: Timestamp.nullable(),
    path: z.string().openapi({ description: 'An address below `/dashboard`' }),
    verdicts: z.array(z.enum(inboxVerdicts)),
    count: z.int().nullable().openapi({ description: 'How many it stands for; null for one thing' }),
  })
  .openapi('InboxItem')

const Count = z.int().nonnegative()
const kindCounts = Object.fromEntries(inboxKinds.map((kind) => [kind, Count])) as Record<
  (typeof inboxKinds)[number],
  typeof Count
>

export const Inbox = z
  .object({
    items: z.array(InboxItem),
    counts: z
      .object({ total: Count, ...kindCounts })
      .openapi({ description: 'Of everything that waits, whatever `kind` and `cursor` say' }),
    next_cursor: z.string().nullable(),
  })
  .openapi('Inbox')

export const InboxCount = z
  .object({ total: Count, by_kind: z.object(kindCounts), as_of: Timestamp })
  .openapi('InboxCount')

export const InboxActResult = z
  .object({
    item_id: z.string(),
    ok: z.boolean(),
    code: z.string().optional(),
    message: z.string().optional(),
  })
  .openapi('InboxActResult')
