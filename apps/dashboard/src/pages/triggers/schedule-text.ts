import type { Trigger } from '@svc/sdk'

/** The times at which a trigger fires by itself, in a line. */
export function scheduleText(
  trigger: Pick<Trigger, 'type' | 'cron' | 'run_at' | 'timezone' | 'interval' | 'mode'>,
): string {
  const { type, cron, run_at, timezone, interval, mode } = trigger
  switch (type) {
    case 'cron':
      return `${run_at === null ? (cron ?? '') : `once at ${run_at}`}${timezone === null ? '' : ` (${timezone})`}`
    case 'webhook':
      return 'when a delivery comes'
    case 'monitor':
      return mode === 'poll' ? `polls every ${interval ?? 'while'}` : 'follows its command'
  }
}
