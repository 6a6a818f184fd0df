import type { Settings } from '@svc/context'
import type { ProjectTriggerRow, TriggerFireRow } from '@svc/db'
import { definitionOf } from './definition.ts'
import type { ShownMonitor } from './monitors/shown.ts'

/** A trigger as the wire shows it: the manifest's entry with what happened to it. */
export function presentTrigger(
  { api_url }: Pick<Settings, 'api_url'>,
  row: ProjectTriggerRow,
  shown: ShownMonitor | null,
) {
  const trigger = definitionOf(row)
  const cron = trigger.type === 'cron' ? trigger : null
  const monitor = trigger.type === 'monitor' ? trigger : null
  const webhook = trigger.type === 'webhook' ? trigger : null
  return {
    slug: trigger.slug,
    name: trigger.name,
    type: trigger.type,
    agent: trigger.agent,
    model: trigger.model,
    enabled: trigger.enabled,
    prompt_template: trigger.prompt,
    cron: cron?.cron ?? null,
    run_at: cron?.run_at ?? null,
    timezone: cron?.timezone ?? null,
    secret_env: webhook?.secret_env ?? null,
    run: monitor?.run ?? null,
    mode: monitor?.mode ?? null,
    interval: monitor?.interval ?? null,
    expect_event_within: monitor?.expect_event_within ?? null,
    session_mode: trigger.session_mode,
    session_id: trigger.session_id,
    session_key: trigger.session_key,
    filter: trigger.filter,
    overlap: trigger.overlap,
    last_fired_at: row.last_fired_at,
    last_status: row.last_status,
    last_error: row.last_error,
    last_attempt_at: row.last_attempt_at,
    next_fire_at: row.next_fire_at,
    monitor: shown,
    webhook_url: webhook ? `${api_url}/webhooks/projects/${row.project_id}/${row.slug}` : null,
  }
}

export function presentFire(row: TriggerFireRow) {
  const { fire_id, slug, type, occurrence, scheduled_at, fired_at, status, reason, code } = row
  const { session_id, delivery_id, replay_of } = row
  return {
    fire_id,
    slug,
    type,
    occurrence,
    scheduled_at,
    fired_at,
    status,
    reason,
    code,
    session_id,
    delivery_id,
    replay_of,
  }
}
