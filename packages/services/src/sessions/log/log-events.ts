import type { BaseContext } from '@svc/context'
import { sessionEvents } from '@svc/db'

type Append = Parameters<typeof sessionEvents.append>

/** Adds events to the log of a session, and counts them. */
export async function logEvents(
  { metrics }: Pick<BaseContext, 'metrics'>,
  ...[tx, session_id, events, held]: Append
): Promise<void> {
  metrics.count('svc_events_total', {}, await sessionEvents.append(tx, session_id, events, held))
}
