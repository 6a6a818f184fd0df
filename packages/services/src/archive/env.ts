import { z } from 'zod'
import type { ArchiveAges } from './sweep-archive.ts'

/** A number of days for which something is kept. */
export const days = z.coerce.number().int().min(0).max(36_500)
const dayMs = 24 * 3_600_000

/** The variables of the process that moves what is over out of the database. */
export const archiveEnv = {
  SVC_EVENT_HOT_DAYS: days
    .default(30)
    .describe(
      'how long a month of events stays in the database after its end, before it goes to the object store; 0 for ever',
    ),
  SVC_EVENT_ARCHIVE_DAYS: days
    .default(0)
    .describe('how long a month of events is kept in the object store, from its end on; 0 for ever'),
  SVC_BACKUP_WINDOW_DAYS: days
    .default(7)
    .describe(
      'how long after no row names it any more an object or a month is kept, for the backups that do',
    ),
  SVC_STOPPED_SANDBOX_DAYS: days
    .default(0)
    .describe('how long the files of a stopped sandbox are kept beside their checkpoint; 0 for ever'),
  SVC_SESSION_BRANCH_DAYS: days
    .default(0)
    .describe(
      'how long branches of deleted sessions stay in managed repositories, before they are bundled into the object store; 0 for ever',
    ),
} as const

type ArchiveSettings = z.infer<z.ZodObject<typeof archiveEnv>>

export const archiveAges = (settings: ArchiveSettings): ArchiveAges => ({
  hot_ms: settings.SVC_EVENT_HOT_DAYS * dayMs,
  archive_ms: settings.SVC_EVENT_ARCHIVE_DAYS * dayMs,
  window_ms: settings.SVC_BACKUP_WINDOW_DAYS * dayMs,
})
