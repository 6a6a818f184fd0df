import type { Context } from '@svc/context'
import { inboxMarks } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type InboxKind, inboxKinds } from '@svc/facts'
import type { WaitingItem } from './entry.ts'
import { isAsk, readWaiting } from './read-waiting.ts'
import { type InboxScope, inboxScope } from './scope.ts'

type MarkContext = Pick<Context, 'db' | 'principal' | 'now' | 'trail'>

export interface InboxMark {
  readonly item_id: string
  readonly version: string
  readonly state: 'done' | 'snoozed'
  readonly until?: string | undefined
}

/** Puts one version of an item aside, for good or for a while. */
export async function markInboxItem(ctx: MarkContext, mark: InboxMark): Promise<void> {
  await putMark(ctx, await inboxScope(ctx), mark)
}

const day = 86_400_000

export async function putMark(ctx: MarkContext, scope: InboxScope, mark: InboxMark): Promise<void> {
  const { item_id, version, state } = mark
  const { kind } = await findWaiting(ctx, scope, item_id)
  if (isAsk(kind))
    throw new ServiceError(
      'ASK_PENDING',
      kind === 'approval'
        ? 'An agent waits for this decision; approve or deny it instead of putting it aside'
        : 'An agent waits for this answer; answer it in its session instead of putting it aside',
    )
  const marked_at = ctx.now()
  const until = state === 'done' ? null : untilOf(mark.until, marked_at)
  await inboxMarks.put(ctx.db, { user_id: scope.user_id, item_id, version, state, until, marked_at })
}

/** The item as it waits now; refuses an id of which nothing does. */
export async function findWaiting(
  ctx: Pick<Context, 'db' | 'now'>,
  scope: InboxScope,
  item_id: string,
): Promise<WaitingItem> {
  const kind = kindOf(item_id)
  const waiting = kind === null ? [] : await readWaiting(ctx, scope, [kind])
  const item = waiting.find((one) => one.item_id === item_id)
  if (item === undefined)
    throw new ServiceError('not_found', 'Nothing of this id waits for you; list the inbox again')
  return item
}

function untilOf(given: string | undefined, now: Date): Date {
  if (given === undefined) return new Date(now.getTime() + day)
  const until = new Date(given)
  if (until > now) return until
  throw new ServiceError('invalid_request', '`until` is over already; give a time to come', {
    issues: [{ path: 'until', message: 'must be in the future' }],
  })
}

function kindOf(item_id: string): InboxKind | null {
  return inboxKinds.find((kind) => item_id.startsWith(`${kind}:`)) ?? null
}
