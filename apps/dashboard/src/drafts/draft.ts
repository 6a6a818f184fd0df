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

/** A draft as the browser kept it; anything else is an empty one. */
export function readDraft(kept: string | null): Draft {
  try {
    const value: unknown = JSON.parse(kept ?? 'null')
    if (typeof value !== 'object' || value === null) return emptyDraft
    if (!('text' in value) || typeof value.text !== 'string') return emptyDraft
    return { text: value.text, attempt: 'attempt' in value ? attemptOf(value.attempt) : null }
  } catch {
    return emptyDraft
  }
}

function attemptOf(value: unknown): Attempt | null {
  if (typeof value !== 'object' || value === null || !('says' in value && 'key' in value)) return null
  const { says, key } = value
  return typeof says === 'string' && typeof key === 'string' ? { says, key } : null
}

/** The same words are the same sending until its answer came; other words are another one. */
export function nextAttempt({ attempt }: Draft, says: string, newKey: () => string): Attempt {
  return attempt?.says === says ? attempt : { says, key: newKey() }
}

/** The draft once it was sent: text that was typed meanwhile stays. */
export function afterSent({ text }: Draft, sent: string): Draft {
  return { text: text === sent ? '' : text, attempt: null }
}
