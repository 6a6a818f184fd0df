import type { ProjectTriggerRow } from '@svc/db'
import type { Trigger } from '@svc/manifest'
import { nextSlot, runAt } from '@svc/trigger'
import { definitionOf, scheduleOf } from './definition.ts'

/**
 * The slot that a trigger waits for, as its entry stands now. One that goes on as it was keeps its slot, so that an
 * edit elsewhere in the file loses none. A one-off instant that passed unseen is still owed: it fires late or is missed.
 */
export function nextFireOf(
  trigger: Trigger,
  before: Pick<ProjectTriggerRow, 'definition' | 'enabled' | 'next_fire_at'> | undefined,
  paused: boolean,
  now: Date,
): Date | null {
  const schedule = scheduleOf(trigger)
  if (schedule === null || !trigger.enabled || paused) return null
  if (before?.enabled === true && sameSchedule(trigger, definitionOf(before))) return before.next_fire_at
  if (schedule.run_at !== null) return runAt(schedule.run_at, schedule.timezone)
  return nextSlot(schedule, now)
}

function sameSchedule(a: Trigger, b: Trigger): boolean {
  return JSON.stringify(scheduleOf(a)) === JSON.stringify(scheduleOf(b))
}
