import type { Logger } from '@svc/boot'
import { type DatabaseListener, type Db, maintenance } from '@svc/db'
import { type Maintenance, noMaintenance } from './maintenance.ts'

export interface MaintenanceWatch {
  /** The state as it was last read: at most 5 s old, and at once where it was told. */
  current(): Maintenance
  close(): void
}

const readAgainMs = 5_000

interface Watched {
  readonly db: Db
  readonly listener: DatabaseListener
  readonly now: () => Date
  readonly log: Logger
}

/** Follows the row of the maintenance; a database that is away changes nothing. */
export async function watchMaintenance({ db, listener, now, log }: Watched): Promise<MaintenanceWatch> {
  let row = await maintenance.read(db)
  let closed = false
  const look = async () => {
    try {
      const seen = await maintenance.read(db)
      if (seen.mode !== row.mode) log.warn({ mode: seen.mode }, 'the maintenance mode changed')
      row = seen
    } catch (error) {
      if (!closed) log.debug({ err: error }, 'the maintenance mode was not read')
    }
  }
  const timer = setInterval(look, readAgainMs)
  timer.unref()
  const unsubscribe = listener.subscribe('maintenance', look)
  return {
    current() {
      const { mode, message, retry_after_seconds, until } = row
      const over = until !== null && until <= now()
      return over ? noMaintenance : { mode, message, retry_after_seconds, until }
    },
    close() {
      closed = true
      clearInterval(timer)
      unsubscribe()
    },
  }
}
