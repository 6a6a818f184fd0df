import type { InboxItem } from '@svc/sdk'
import { useInbox } from './use-inbox.ts'

/** The number of each kind that waits for the person, in all projects or in one; nothing until it is known. */
export function useInboxCount(project_id?: string): Readonly<Record<string, number>> | undefined {
  const { data } = useInbox()
  if (data === undefined) return undefined
  return project_id === undefined
    ? data.counts
    : countsOf(data.items.filter((item) => item.project_id === project_id))
}

/** All that waits, in all projects. */
export function useWaitingCount(): number {
  return useInboxCount()?.['total'] ?? 0
}

function countsOf(items: readonly InboxItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { total: items.length }
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
