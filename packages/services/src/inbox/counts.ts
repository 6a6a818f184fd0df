import { type InboxKind, inboxKinds } from '@svc/facts'
import type { WaitingItem } from './entry.ts'

/** The number of items of each kind. */
export function countsOf(items: readonly WaitingItem[]): Record<InboxKind, number> {
  const counted = inboxKinds.map((kind) => [kind, items.filter((item) => item.kind === kind).length])
  // The keys are those of the list above.
  return Object.fromEntries(counted) as Record<InboxKind, number>
}
