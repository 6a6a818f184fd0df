import type { ProjectTriggerRow } from '@svc/db'
import type { Trigger } from '@svc/manifest'
import type { Schedule } from '@svc/trigger'

/** The manifest's trigger behind a row. The catalogue wrote it from this very type, and no other code writes it. */
export function definitionOf(row: Pick<ProjectTriggerRow, 'definition'>): Trigger {
  return row.definition as unknown as Trigger
}

/** Null for triggers that no clock fires. */
export function scheduleOf(trigger: Trigger): Schedule | null {
  if (trigger.type !== 'cron') return null
  const { cron, run_at, timezone } = trigger
  return { cron, run_at, timezone }
}
