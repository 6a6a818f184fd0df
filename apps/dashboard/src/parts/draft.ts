/** One sending: its text, and the key by which the API knows it again. */
export interface Attempt {
  readonly says: string
  readonly key: string
}

/** The text that is typed and not sent yet, with the last sending whose answer was never seen. */
export interface Draft {
  readonly text: string
  readonly attempt: Attempt | null
}

export const emptyDraft: Draft = { text: '', attempt: null }

/** The same words are the same sending until its answer came; other words are another one. */
export function nextAttempt({ attempt }: Draft, says: string, newKey: () => string): Attempt {
  return attempt?.says === says ? attempt : { says, key: newKey() }
}

/** The draft once it was sent: text that was typed meanwhile stays. */
export function afterSent({ text }: Draft, sent: string): Draft {
  return { text: text === sent ? '' : text, attempt: null }
}
