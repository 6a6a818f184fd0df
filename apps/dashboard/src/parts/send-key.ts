import type { KeyboardEvent } from 'react'

/** Ctrl+Enter, or Cmd+Enter on a Mac, sends the form that the field is in; Enter alone stays a new line. */
export function sendOnKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
