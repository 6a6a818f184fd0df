import type { SessionEvent } from '@svc/sdk'
import { stringOf } from '../json-values.ts'

/** The part of each message that was printed. */
export type MessageTexts = Map<string, string>

/**
 * The part of a message that was not printed yet. Deltas come as they are; the stored message then supplies whatever
 * deltas were lost with a cut connection.
 */
export function unseenText(
  texts: MessageTexts,
  event: SessionEvent,
): { message_id: string; text: string } | null {
  const message_id = stringOf(event, 'message_id') ?? ''
  const seen = texts.get(message_id) ?? ''
  if (event.type === 'message.delta') {
    const text = stringOf(event, 'delta') ?? ''
    if (text === '') return null
    texts.set(message_id, seen + text)
    return { message_id, text }
  }
  if (event['role'] !== 'assistant') return null
  const whole = stringOf(event, 'text') ?? ''
  texts.set(message_id, whole)
  const rest = whole.startsWith(seen)
    ? whole.slice(seen.length)
    : squeezed(whole) === squeezed(seen)
      ? ''
      : `\n${whole}`
  return rest === '' ? null : { message_id, text: rest }
}

/** Parts of a message may be joined by other white space than the deltas had. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}
