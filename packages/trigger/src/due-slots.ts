import { latestSlot, nextSlot, type Schedule } from './schedule.ts'

/** The slots that are due for a schedule whose next slot has come. */
export interface DueSlots {
  /** The one slot to fire: the latest, when it is young enough. */
  readonly fire: Date | null
  /** The others, oldest first. */
  readonly missed: readonly Date[]
  /** Slots beyond those that are listed one by one, both ends included. */
  readonly missed_between: { readonly first: Date; readonly last: Date } | null
  readonly next: Date | null
}

/** Slots that are recorded one by one after an outage; a longer row of them is recorded as one interval. */
export const maxMissed = 500

/**
 * Of all slots from `first` (the one that was waited for) to `now` at most the latest fires, within the catch-up
 * window; the others were missed. An outage never becomes a burst.
 */
export function dueSlots(schedule: Schedule, first: Date, now: Date, window_ms: number): DueSlots {
  const slots: Date[] = []
  let slot: Date | null = first
  while (slot !== null && slot <= now && slots.length < maxMissed) {
    slots.push(slot)
    slot = nextSlot(schedule, slot)
  }
  const next = slot === null || slot > now ? slot : nextSlot(schedule, now)
  const unlisted = slot !== null && slot <= now ? slot : null
  const latest = unlisted === null ? slots.pop() : (latestSlot(schedule, now) ?? undefined)
  const young = latest !== undefined && now.getTime() - latest.getTime() <= window_ms
  const missed_between =
    unlisted === null || latest === undefined ? null : between(schedule, unlisted, latest, young)
  return {
    fire: young ? (latest ?? null) : null,
    missed: young || latest === undefined || unlisted !== null ? slots : [...slots, latest],
    missed_between,
    next,
  }
}

/** The interval ends before the slot that fires. */
function between(
  schedule: Schedule,
  first: Date,
  latest: Date,
  latest_fires: boolean,
): DueSlots['missed_between'] {
  if (!latest_fires) return { first, last: latest }
  const last = latestSlot(schedule, new Date(latest.getTime() - 1))
  return last === null || last < first ? null : { first, last }
}
