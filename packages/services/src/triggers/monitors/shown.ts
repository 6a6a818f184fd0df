import type { BaseContext } from '@svc/context'
import { monitors, type ProjectTriggerRow } from '@svc/db'
import type { MonitorState } from '@svc/trigger'

export interface ShownMonitor {
  readonly state: MonitorState
  readonly last_line_at: Date | null
  /** The last exit of its command, with the end of its stderr. */
  readonly last_exit: string | null
  /** Until when its lines are only counted. */
  readonly suppressed_until: Date | null
  readonly suppressed_lines: number
  /** The reason that its sandbox does not come up, or is not reached. */
  readonly error: string | null
}

/** The states of the project's monitors, by slug. */
export async function shownMonitors(
  { db, now }: Pick<BaseContext, 'db' | 'now'>,
  project_id: string,
): Promise<ReadonlyMap<string, ShownMonitor>> {
  const at = now()
  const views = await monitors.listViews(db, project_id)
  return new Map(views.map((view) => [view.slug, presentMonitor(view, at)]))
}

/** Null for every other trigger. */
export async function shownMonitor(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  { project_id, slug, type }: ProjectTriggerRow,
): Promise<ShownMonitor | null> {
  return type === 'monitor' ? ((await shownMonitors(ctx, project_id)).get(slug) ?? null) : null
}

function presentMonitor(view: monitors.MonitorView, at: Date): ShownMonitor {
  const { suppressed_until, failure, unreached } = view
  const isPaused = view.paused || !view.enabled
  return {
    state: isPaused ? 'paused' : view.live ? (view.state ?? 'starting') : 'starting',
    last_line_at: view.last_line_at,
    last_exit: view.last_exit,
    suppressed_until: suppressed_until !== null && suppressed_until > at ? suppressed_until : null,
    suppressed_lines: view.suppressed_total ?? 0,
    error: isPaused ? null : view.live ? unreached : failure,
  }
}
