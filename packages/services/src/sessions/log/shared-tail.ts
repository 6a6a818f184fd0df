import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, type SessionEventRow, sessions } from '@svc/db'
import { type LogContext, nextEvents } from '../../archive/read-log.ts'

/** A session with what its log has behind a place. */
export interface Tail<Event> {
  readonly session: sessions.SessionView | undefined
  readonly events: readonly Event[]
  /** False when there is nothing behind these. */
  readonly more: boolean
}

interface Place {
  readonly session_id: string
  readonly after: number
}

/**
 * Reads tails for followers, whom one message wakes all at once: those who ask for the same place in one turn of the event
 * loop share a read, and the events that `present` made of its rows. It begins after the last of them asked, so that it has
 * what each was woken for.
 */
export function tailReader<Event>(
  present: (row: SessionEventRow) => Event,
): (ctx: LogContext, place: Place) => Promise<Tail<Event>> {
  const asked = new WeakMap<Db, Map<string, Promise<Tail<Event>>>>()
  return (ctx, place) => {
    const mine = asked.get(ctx.db) ?? new Map<string, Promise<Tail<Event>>>()
    asked.set(ctx.db, mine)
    const key = `${place.session_id} ${place.after}`
    const known = mine.get(key)
    if (known !== undefined) return known
    const read = async (): Promise<Tail<Event>> => {
      await nextTurn()
      mine.delete(key)
      const session = await sessions.findById(ctx.db, place.session_id)
      if (session === undefined) return { session, events: [], more: false }
      const { events, more } = await nextEvents(ctx, place)
      return { session, events: events.map(present), more }
    }
    const begun = read()
    mine.set(key, begun)
    return begun
  }
}
