import type { ProjectTriggerRow } from '@svc/db'
import { cronPayload, matchesFilter, renderPrompt, renderSessionKey } from '@svc/trigger'
import { definitionOf } from './definition.ts'

export interface CronWords {
  readonly prompt: string
  readonly session_key: string
  /** True when the trigger's filter wants the fire. */
  readonly wanted: boolean
}

/**
 * The words of a schedule's fire at the instant at which it fires, which is also the one that the ledger and the next
 * fire give for it. Null for a trigger that is no schedule.
 */
export function cronWords(
  row: Pick<ProjectTriggerRow, 'definition' | 'last_fired_at'>,
  fired_at: Date,
): CronWords | null {
  const trigger = definitionOf(row)
  if (trigger.type !== 'cron') return null
  const { slug, type, timezone } = trigger
  const schedule = trigger.cron ?? trigger.run_at
  const payload = cronPayload({ slug, type, schedule, timezone, fired_at, last_fired_at: row.last_fired_at })
  return {
    prompt: renderPrompt(trigger.prompt, payload, 'cron'),
    session_key: renderSessionKey(trigger.session_key, payload),
    wanted: matchesFilter(trigger.filter, payload),
  }
}
