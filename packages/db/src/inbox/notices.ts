import { sql } from 'kysely'
import { instant, maxItems, type Waiting } from './waiting.ts'

/** A subscription to events, or a channel, that the platform ended. */
export interface Notice {
  readonly subscription_id: string | null
  /** Of the channel. */
  readonly slug: string | null
  readonly project_id: string
  readonly name: string | null
  readonly url: string | null
  readonly reason: string
  readonly at: Date
}

/** Ends that no person made, until it is enabled or connected again. */
export const notices = (project_ids: readonly string[]): Waiting<Notice> => ({
  rows: sql`
    (select subscription_id::text as id, ${instant('disabled_at')} as version, subscription_id, null as slug, project_id,
      name, url, disabled_reason as reason, disabled_at as at
    from event_subscriptions
    where disabled_reason in ('gone', 'too_many_failures') and project_id = any(${project_ids}::uuid[])
    order by disabled_at desc limit ${maxItems})
    union all
    (select channel_id::text as id, ${instant('updated_at')} as version, null::uuid as subscription_id, slug, project_id,
      name, null as url, disconnected_reason as reason, updated_at as at
    from project_channels
    where disconnected_reason <> 'user' and project_id = any(${project_ids}::uuid[])
    order by updated_at desc limit ${maxItems})`,
})
