import type { InboxItem } from '@svc/sdk'

type Kind = InboxItem['kind']

/** The parts of the inbox that a person looks at by themselves. */
const kindsOf = {
  asks: ['question', 'permission', 'approval'],
  reviews: ['change_request', 'review'],
  failed: ['session_failed', 'trigger_failure', 'budget_block', 'unknown_call', 'notice'],
  setup: ['manifest_invalid', 'secret_missing', 'connection'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>

export const groups = ['all', 'asks', 'reviews', 'failed', 'setup'] as const
export type Group = (typeof groups)[number]

const names: Readonly<Record<Group, string>> = {
  all: 'All',
  asks: 'Asks',
  reviews: 'Reviews',
  failed: 'Failed',
  setup: 'Set up',
}

export function isOf(group: Group, kind: Kind): boolean {
  if (group === 'all') return true
  const kinds: readonly Kind[] = kindsOf[group]
  return kinds.includes(kind)
}

/** The groups with how many wait in each; those with none are left out, but for all of them. */
export function countedGroups(
  counts: Readonly<Record<string, number>>,
): readonly (readonly [Group, string])[] {
  return groups.flatMap((group) => {
    const count =
      group === 'all'
        ? (counts['total'] ?? 0)
        : kindsOf[group].reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
    return group !== 'all' && count === 0 ? [] : [[group, `${names[group]} ${count}`] as const]
  })
}
