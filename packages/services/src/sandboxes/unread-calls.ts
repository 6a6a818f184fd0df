import { limits } from '@svc/contract'
import { connectorCalls, type Db, sessionEvents } from '@svc/db'

const named = 20

/**
 * A prompt that follows an interrupted turn, with the calls of connectors that were answered in that turn: the agent may have
 * had their results, and know nothing of it any more. Any other prompt as it is.
 */
export async function withUnreadCalls(db: Db, session_id: string, text: string): Promise<string> {
  const since = await sessionEvents.interruptedSince(db, session_id)
  if (since === undefined) return text
  const calls = await connectorCalls.listReadSince(db, session_id, since)
  if (calls.length === 0) return text
  const lines = calls
    .slice(-named)
    .map(({ slug, action, call_id, status }) => `- ${slug}.${action} (call_id ${call_id}): ${status}`)
  const left = calls.length - lines.length
  const whole = [
    text,
    [
      'The turn before was interrupted. These connector calls had ended in it; do not repeat them: the tool `result` has what each brought.',
      ...(left === 0 ? [] : [`(${left} earlier ones are left out)`]),
      ...lines,
    ].join('\n'),
  ].join('\n\n')
  // A daemon refuses for good what is too long, and the prompt goes before the note.
  return Buffer.byteLength(whole) <= limits.promptBytes ? whole : text
}
