import type { Context } from '@svc/context'
import { inboxItems } from '@svc/db'
import { type InboxKind, inboxKinds } from '@svc/facts'
import { inboxAdapters } from './kinds.ts'
import { isAsk } from './read-waiting.ts'
import { inboxScope } from './scope.ts'

/** The number of items that wait for the person, of each kind and of all. */
export async function countInbox(ctx: Pick<Context, 'db' | 'principal' | 'now' | 'trail'>) {
  const as_of = ctx.now()
  const scope = await inboxScope(ctx)
  const kinds = inboxKinds.map((kind) => ({
    kind,
    waiting: inboxAdapters[kind].waiting(scope, as_of),
    may_be_marked: !isAsk(kind),
  }))
  const { user_id } = scope
  const counted =
    scope.projects.size === 0 ? [] : await inboxItems.count(ctx.db, { user_id, now: as_of }, kinds)
  const found = new Map(counted.map(({ kind, count }) => [kind, count]))
  // The keys are those of the list.
  const by_kind = Object.fromEntries(inboxKinds.map((kind) => [kind, found.get(kind) ?? 0])) as Record<
    InboxKind,
    number
  >
  return { total: counted.reduce((sum, { count }) => sum + count, 0), by_kind, as_of }
}
