import type { BaseContext } from '@svc/context'
import { sessionEvents } from '@svc/db'

type Append = Parameters<typeof sessionEvents.append>

/** Adds events to the log of a session, and counts them. Returns those that it did not have yet. */
export async function logEvents(
  { metrics }: Pick<BaseContext, 'metrics'>,
  ...[tx, session_id, events, held]: Append
): Promise<readonly sessionEvents.NewSessionEvent[]> {
  const fresh = await sessionEvents.append(tx, session_id, events, held)
  metrics.count('svc_events_total', {}, fresh.length)
  return fresh
}
