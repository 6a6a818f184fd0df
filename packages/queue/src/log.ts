/** The part of a pino logger that is used here. */
export interface QueueLog {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** One line for a fault that repeats: the same text again within the window is only counted. */
export function quieted(log: QueueLog, window_ms = 10_000, now: () => number = Date.now) {
  const logged = new Map<string, { at: number; repeated: number }>()
  return (err: unknown, message: string): void => {
    const text = `${message}: ${err instanceof Error ? err.message : String(err)}`
    const last = logged.get(text)
    if (last && now() - last.at < window_ms) {
      last.repeated += 1
      return
    }
    for (const [other, { at }] of logged) if (now() - at >= window_ms) logged.delete(other)
    log.warn({ err, ...(last && last.repeated > 0 ? { repeated: last.repeated } : {}) }, message)
    logged.set(text, { at: now(), repeated: 0 })
  }
}
