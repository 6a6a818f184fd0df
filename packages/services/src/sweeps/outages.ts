import { createOutages, type Logger, type Outages } from '@svc/boot'
import { isDatabaseAway } from '@svc/db'

/** The outages of loops that ask the database: while it is away, all of them are in one. */
export function outagesOf(log: Pick<Logger, 'error' | 'warn'>): Outages {
  return createOutages(log, { isShared: isDatabaseAway })
}
