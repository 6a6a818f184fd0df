import { eventArchives, sessionEvents, type SessionEventRow } from '@svc/db'
import { type LogContext, readPiece } from './read-log.ts'

const hourMs = 3_600_000
/** No month is sealed that ended a shorter time ago. */
const youngestMs = 24 * hourMs

/** The event that was reported under one of these ids. */
export async function findReported(
  ctx: LogContext,
  session_id: string,
  event_ids: readonly string[],
): Promise<Pick<SessionEventRow, 'type' | 'payload'> | undefined> {
  const reported = await sessionEvents.findReported(ctx.db, session_id, event_ids)
  if (reported) return reported
  const query = { event_ids: new Set(event_ids), since: new Date(0) }
  for await (const event of findArchived(ctx, session_id, query)) return event
  return undefined
}

/** Archived events of a session that were reported under one of these ids at `since` or later. */
async function* findArchived(
  ctx: LogContext,
  session_id: string,
  { event_ids, since }: { readonly event_ids: ReadonlySet<string>; readonly since: Date },
): AsyncGenerator<SessionEventRow> {
  for (const piece of await eventArchives.listPieces(ctx.db, session_id, since)) {
    for (const event of await readPiece(ctx, piece, 0)) {
      if (event.event_id !== null && event_ids.has(event.event_id)) yield event
    }
  }
}

interface Reported {
  readonly event_id?: string
  readonly at: Date
}

/**
 * Reports without those that the archive has. A sandbox that was stopped for months may repeat what it told last; no event is
 * stored before it happened, so only a report of a month that is sealed is looked for.
 */
export async function withoutArchived<Event extends Reported>(
  ctx: LogContext,
  session_id: string,
  events: readonly Event[],
  now: Date,
): Promise<readonly Event[]> {
  const old = events.filter(({ at }) => at.getTime() < now.getTime() - youngestMs)
  if (old.length === 0) return events
  const first = Math.min(...old.map(({ at }) => at.getTime()))
  const event_ids = new Set(old.flatMap(({ event_id }) => event_id ?? []))
  const known = new Set<string | null>()
  // The clocks of the machines that store and that report may differ by this much.
  for await (const { event_id } of findArchived(ctx, session_id, {
    event_ids,
    since: new Date(first - hourMs),
  }))
    known.add(event_id)
  return events.filter(({ event_id }) => event_id === undefined || !known.has(event_id))
}
