import type { Logger } from '@svc/boot'
import { type Db, processes } from '@svc/db'

const everyMs = 60_000
/** The part of what the server takes from which on a person should act. */
const share = 0.9

/** The warning for as many connections; null where there are enough. */
export function ceilingWarning({ living, connections, max_connections }: processes.Ceiling): string | null {
  if (connections <= max_connections * share) return null
  return `The processes that run (${living}) may together open ${connections} connections to PostgreSQL, and max_connections is ${max_connections}. Lower SVC_DB_POOL and SVC_DB_LOCK_POOL, or raise max_connections.`
}

/** Compares at the start, and then each minute, what all processes may open with what the server takes. Warns once. */
export async function watchCeiling(db: Db, log: Pick<Logger, 'warn'>): Promise<{ close(): void }> {
  let warned = false
  const look = async () => {
    const warning = ceilingWarning(await processes.readCeiling(db, new Date()))
    if (warning !== null && !warned) log.warn(warning)
    warned = warning !== null
  }
  await look()
  // A database that is away is told by those who have work for it.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
