import type { Context } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { findWaiting, putMark } from './mark.ts'
import { type InboxScope, inboxScope } from './scope.ts'

interface Decision {
  readonly item_id: string
  readonly version: string
  readonly verdict: 'dismiss' | 'snooze' | 'approve'
  readonly until?: string | undefined
}

/** Decides on several items, each on its own: one that is refused leaves the others alone. */
export async function actOnInbox(ctx: Context, { items }: { readonly items: readonly Decision[] }) {
  const scope = await inboxScope(ctx)
  const results: { item_id: string; ok: boolean; code?: string; message?: string }[] = []
  for (const item of items) results.push(await decide(ctx, scope, item))
  return { results }
}

async function decide(ctx: Context, scope: InboxScope, item: Decision) {
  const { item_id, version, verdict, until } = item
  try {
    if (verdict === 'approve') await approve(ctx, scope, item)
    else
      await putMark(ctx, scope, {
        item_id,
        version,
        until,
        state: verdict === 'dismiss' ? 'done' : 'snoozed',
      })
    return { item_id, ok: true }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { item_id, ok: false, code: error.code, message: error.message }
  }
}

/** By the verb of the item's kind, which refuses what its own route refuses. */
async function approve(ctx: Context, scope: InboxScope, { item_id, version }: Decision): Promise<void> {
  const { id, kind, project_id, safe = false } = await findWaiting(ctx, scope, item_id)
  const verb = ctx.inbox_approvals?.[kind]
  if (!safe || verb === undefined)
    throw new ServiceError(
      'not_safe_in_bulk',
      'Only items that are `safe` are approved together; open this one and decide on it there',
    )
  await verb(ctx, { project_id, id, version })
}
