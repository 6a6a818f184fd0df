import type { BaseContext } from '@svc/context'
import type { sandboxes } from '@svc/db'

export function idleQuery({ now, settings }: Pick<BaseContext, 'now' | 'settings'>): sandboxes.IdleQuery {
  const at = now()
  const before = (seconds: number) => new Date(at.getTime() - seconds * 1000)
  return {
    now: at,
    idle_since: before(settings.idle_after_seconds),
    trigger_idle_since: before(settings.trigger_idle_after_seconds),
  }
}
