import { useSyncExternalStore } from 'react'
import { type Draft, emptyDraft } from './draft.ts'

/**
 * Drafts in the memory of the tab alone: they outlive a failure, another page and a token that ended, and no reload.
 */
const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()

export function useDraft(name: string): Draft {
  return useSyncExternalStore(listen, () => drafts.get(name) ?? emptyDraft)
}

export function changeDraft(name: string, change: (draft: Draft) => Draft): void {
  drafts.set(name, change(drafts.get(name) ?? emptyDraft))
  notify()
}

/** The next person who signs in has not written them. */
export function forgetDrafts(): void {
  drafts.clear()
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
