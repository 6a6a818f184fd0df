import type { Logger } from './logger.ts'

/** Faults of work that is tried again for ever. */
export interface Outages {
  failed(part: string, error: unknown): void
  /** Ends what this part was in; cheap where it was in none. */
  worked(part: string): void
}

export interface OutagesOptions {
  /** Whether an error says that something is away that all parts share: then they are in one outage together. */
  readonly isShared: (error: unknown) => boolean
  readonly every_ms?: number
  readonly now?: () => number
}

interface Outage {
  readonly began: number
  readonly parts: Set<string>
  readonly timer: NodeJS.Timeout
  failures: number
}

const shared = Symbol('shared')

/** Logs an outage as one error, one line every 30 seconds with the count, and one line at the end. */
export function createOutages(
  log: Pick<Logger, 'error' | 'warn'>,
  { isShared, every_ms = 30_000, now = Date.now }: OutagesOptions,
): Outages {
  const open = new Map<string | typeof shared, Outage>()
  const figures = ({ began, failures }: Outage) => ({
    failures,
    seconds: Math.round((now() - began) / 1_000),
  })

  const begin = (key: string | typeof shared, part: string, err: unknown) => {
    log.error({ err, part }, 'Work failed, and is tried again')
    const timer = setInterval(
      () => log.warn({ ...figures(outage), parts: [...outage.parts] }, 'Work still fails'),
      every_ms,
    )
    timer.unref()
    const outage: Outage = { began: now(), parts: new Set([part]), timer, failures: 1 }
    open.set(key, outage)
  }

  return {
    failed(part, error) {
      const key = isShared(error) ? shared : part
      const outage = open.get(key)
      if (outage === undefined) return begin(key, part, error)
      outage.failures += 1
      outage.parts.add(part)
    },
    worked(part) {
      for (const [key, outage] of open) {
        if (!outage.parts.delete(part) || outage.parts.size > 0) continue
        clearInterval(outage.timer)
        open.delete(key)
        log.warn(figures(outage), 'Work goes on again')
      }
    },
  }
}
