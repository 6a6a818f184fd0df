import type { ChangeRequest } from '@svc/sdk'

export interface Feedback {
  readonly text: string
  readonly by: string | null
  readonly at: string
}

/** Changes that were asked for, the newest last; metadata is free in its other keys. */
export function feedbackOf({ metadata }: Pick<ChangeRequest, 'metadata'>): readonly Feedback[] {
  const entries: unknown = metadata['requested_changes']
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('text' in entry && 'at' in entry)) return []
    const { text, at } = entry
    if (typeof text !== 'string' || typeof at !== 'string') return []
    return [{ text, at, by: 'by' in entry && typeof entry.by === 'string' ? entry.by : null }]
  })
}
