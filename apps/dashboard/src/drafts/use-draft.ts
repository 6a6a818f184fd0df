import { useSyncExternalStore } from 'react'
import { createListeners } from '../live/listeners.ts'
import { type Draft, readDraft } from './draft.ts'

/** Drafts of this browser, by person and place: they outlive a failure, another page, a reload and a sign-in. */
const prefix = 'svc.draft.'
const drafts = new Map<string, Draft>()
const { listen, notify } = createListeners()
let person = ''

export function draftsOf(user_id: string): void {
  if (person === user_id) return
  person = user_id
  drafts.clear()
  notify()
}

export function useDraft(name: string): Draft {
  return useSyncExternalStore(listen, () => current(name))
}

export function changeDraft(name: string, change: (draft: Draft) => Draft): void {
  const draft = change(current(name))
  drafts.set(name, draft)
  if (draft.text === '' && draft.attempt === null) localStorage.removeItem(keyOf(name))
  else localStorage.setItem(keyOf(name), JSON.stringify(draft))
  notify()
}

/** The next person who signs in has not written them. */
export function forgetDrafts(): void {
  drafts.clear()
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  notify()
}

function current(name: string): Draft {
  const known = drafts.get(name)
  if (known !== undefined) return known
  const kept = readDraft(localStorage.getItem(keyOf(name)))
  drafts.set(name, kept)
  return kept
}

const keyOf = (name: string) => `${prefix}${person}.${name}`
