import type { triggerFires } from '@svc/db'
import type { Trigger } from '@svc/manifest'
import { hasPlace, type Room } from '../sessions/creation/cap.ts'
import type { FireOutcome } from './start-fire.ts'

export interface Standing {
  readonly overlap: Trigger['overlap']
  readonly ahead: triggerFires.Ahead
  readonly room: Room
}

/**
 * A fire opens its own session now exactly when its overlap lets it, no earlier fire of its trigger waits, and its account
 * has a place that no create waits for. A receiver asks once the fire is kept and counts the fires that came before it as
 * live: what it calls queued may fire at once, and what it calls fired is queued only for what comes later.
 */
export function willFireNow({ overlap, ahead, room }: Standing): FireOutcome | null {
  return heldBack(overlap, ahead) ?? withoutPlace(room)
}

/** The overlap policy, and the order of those that wait; null where neither holds the fire back. */
export function heldBack(
  overlap: Trigger['overlap'],
  { busy, waiting }: triggerFires.Ahead,
): FireOutcome | null {
  if (busy)
    return overlap === 'skip' ? { kind: 'skipped', reason: 'overlap' } : { kind: 'queued', reason: 'overlap' }
  return waiting ? { kind: 'queued', reason: 'earlier_fires' } : null
}

/** Null where the account has a place for it. */
function withoutPlace(room: Room): FireOutcome | null {
  return hasPlace(room) ? null : noRoom
}

export const maintained: FireOutcome = { kind: 'queued', reason: 'maintenance' }

export const noRoom: FireOutcome = { kind: 'queued', reason: 'session_limit' }
