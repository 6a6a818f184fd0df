import type { Logger } from '@svc/boot'

const quietMs = 60_000

/** Logs why a part is not ready, once a minute for each: probes come every few seconds. */
export function failedChecks(log: Pick<Logger, 'warn'>): (part: string, err: unknown) => void {
  const logged = new Map<string, number>()
  return (part, err) => {
    if (Date.now() - (logged.get(part) ?? -Infinity) < quietMs) return
    logged.set(part, Date.now())
    log.warn({ err, part }, 'A part is not ready')
  }
}
