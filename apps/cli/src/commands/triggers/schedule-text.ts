import type { Trigger } from '@svc/sdk'

/** The cause that makes a trigger fire, in a few words. */
export function scheduleText({
  type,
  cron,
  run_at,
  timezone,
  secret_env,
  run,
  mode,
  interval,
}: Trigger): string {
  switch (type) {
    case 'cron':
      return `${cron ?? run_at ?? ''} ${timezone ?? ''}`.trim()
    case 'webhook':
      return `POST, ${secret_env ?? ''}`
    case 'monitor':
      return `${mode ?? ''} ${interval ?? ''} ${run ?? ''}`.replace(/ +/g, ' ').trim()
  }
}
