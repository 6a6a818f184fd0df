import { backOffMs } from '@svc/timing'
import { monitorLimits } from './monitor-limits.ts'

export type RestartVerdict =
  /** Again after `wait_ms`; `restarts` are the times to remember. */
  | { readonly kind: 'restart'; readonly wait_ms: number; readonly restarts: readonly number[] }
  | { readonly kind: 'exhausted' }

type RestartLimits = Readonly<
  Record<'restarts' | 'restart_window_ms' | 'restart_first_ms' | 'max_restart_ms', number>
>

/** The verdict at the end of a stream that was restarted at these times (milliseconds, oldest first). */
export function spendRestart(
  restarts: readonly number[],
  now: number,
  limits: RestartLimits = monitorLimits,
): RestartVerdict {
  const recent = restarts.filter((at) => now - at < limits.restart_window_ms)
  if (recent.length >= limits.restarts) return { kind: 'exhausted' }
  const wait_ms = backOffMs(recent.length, limits.restart_first_ms, limits.max_restart_ms)
  return { kind: 'restart', wait_ms, restarts: [...recent, now] }
}
