import type { Context } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { putMark } from './mark.ts'
import { type InboxScope, inboxScope } from './scope.ts'

type ActContext = Pick<Context, 'db' | 'principal' | 'now' | 'trail'>

interface Decision {
  readonly item_id: string
  readonly version: string
  readonly verdict: 'dismiss' | 'snooze' | 'approve'
  readonly until?: string | undefined
}

/** Decides on several items, each on its own: one that is refused leaves the others alone. */
export async function actOnInbox(ctx: ActContext, { items }: { readonly items: readonly Decision[] }) {
  const scope = await inboxScope(ctx)
  const results: { item_id: string; ok: boolean; code?: string; message?: string }[] = []
  for (const item of items) results.push(await decide(ctx, scope, item))
  return { results }
}

async function decide(ctx: ActContext, scope: InboxScope, item: Decision) {
  const { item_id, version, verdict, until } = item
  try {
    if (verdict === 'approve')
      throw new ServiceError('invalid_request', 'Only items that are safe are approved together')
    await putMark(ctx, scope, { item_id, version, until, state: verdict === 'dismiss' ? 'done' : 'snoozed' })
    return { item_id, ok: true }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { item_id, ok: false, code: error.code, message: error.message }
  }
}
