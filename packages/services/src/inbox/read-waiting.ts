import type { Context } from '@svc/context'
import { inboxMarks } from '@svc/db'
import { askKinds, type InboxKind, inboxKinds } from '@svc/facts'
import type { WaitingItem } from './entry.ts'
import { inboxAdapters } from './kinds.ts'
import type { InboxScope } from './scope.ts'

type ReadContext = Pick<Context, 'db' | 'now'>

const asks: ReadonlySet<InboxKind> = new Set([...askKinds, 'approval'])

/** True for what an agent waits for. */
export const isAsk = (kind: InboxKind): boolean => asks.has(kind)

/** Everything that waits for the person, what they put aside as well. */
export async function readWaiting(
  ctx: ReadContext,
  scope: InboxScope,
  kinds: readonly InboxKind[] = inboxKinds,
): Promise<WaitingItem[]> {
  if (scope.projects.size === 0) return []
  const each = await Promise.all(
    kinds.map(async (kind) => {
      const entries = await inboxAdapters[kind].read(ctx, scope)
      return entries.map((entry) => ({
        ...entry,
        kind,
        item_id: `${kind}:${entry.id}`,
        project_name: scope.projects.get(entry.project_id)?.name ?? '',
      }))
    }),
  )
  return each.flat()
}

/** Without what they put aside: a mark is about one version, and that of a snoozed item about a time. */
export async function withoutMarked(
  ctx: ReadContext,
  { user_id }: InboxScope,
  items: readonly WaitingItem[],
): Promise<WaitingItem[]> {
  const markable = items.filter(({ kind }) => !isAsk(kind)).map(({ item_id }) => item_id)
  const marks = await inboxMarks.listOn(ctx.db, user_id, markable, ctx.now())
  const aside = new Map(marks.map(({ item_id, version }) => [item_id, version]))
  return items.filter(({ item_id, version }) => aside.get(item_id) !== version)
}
