import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import type { NewSessionEvent } from './session-events.ts'

/**
 * The events with what they cost: `usage` tells what the calls of the session have cost since the last one that told,
 * by the rows of the gateway. What those do not know is the runtime's own word. The session's row is locked.
 */
export async function withCosts(
  db: Db,
  session_id: string,
  events: readonly NewSessionEvent[],
): Promise<{ readonly events: readonly NewSessionEvent[]; readonly reported_micros: number }> {
  const at = events.findLastIndex(({ type }) => type === 'usage')
  if (at === -1) return { events, reported_micros: 0 }
  const reported_micros = await unreported(db, session_id)
  return {
    events: events.map((event, index) =>
      event.type === 'usage' ? withCost(event, index === at ? reported_micros : 0) : event,
    ),
    reported_micros,
  }
}

function withCost(event: NewSessionEvent, micros: number): NewSessionEvent {
  const cost_micros = micros > 0 ? micros : saidMicros(event)
  if (cost_micros === null) return event
  const cost_usd = micros > 0 ? micros / 1_000_000 : event.payload['cost_usd']
  return { ...event, payload: { ...event.payload, cost_usd, cost_micros } }
}

/** Micro-dollars of what these tell of. */
export function costOf(events: readonly NewSessionEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'usage' ? (saidMicros(event) ?? 0) : 0), 0)
}

function saidMicros({ payload: { cost_usd } }: NewSessionEvent): number | null {
  if (typeof cost_usd !== 'number' || !Number.isFinite(cost_usd)) return null
  return Math.round(Math.max(0, cost_usd) * 1_000_000)
}

/** Micro-dollars of calls that no event has told of. A call that was lost may have been lowered since. */
async function unreported(db: Db, session_id: string): Promise<number> {
  const { rows } = await sql<{ unreported: number }>`${prepared}
    select greatest(0,
      (select coalesce(sum(cost_micros), 0) from gateway_calls where session_id = s.session_id)
      + (select coalesce(sum(cost_micros), 0) from gateway_spend_days where session_id = s.session_id)
      - s.reported_micros)::bigint as unreported
    from project_sessions s where s.session_id = ${session_id}`.execute(db)
  return rows[0]?.unreported ?? 0
}
