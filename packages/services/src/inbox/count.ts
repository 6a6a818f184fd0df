import type { Context } from '@svc/context'
import { countsOf } from './counts.ts'
import { readWaiting, withoutMarked } from './read-waiting.ts'
import { inboxScope } from './scope.ts'

/** The number of items that wait for the person. */
export async function countInbox(ctx: Pick<Context, 'db' | 'principal' | 'now' | 'trail'>) {
  const as_of = ctx.now()
  const scope = await inboxScope(ctx)
  const items = await withoutMarked(ctx, scope, await readWaiting(ctx, scope))
  return { total: items.length, by_kind: countsOf(items), as_of }
}
