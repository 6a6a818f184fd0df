import type { JobContext } from '@svc/context'
import { checkRuns, jobFailures, manifestEdits, merges, secretAccesses } from '@svc/db'
import type { z } from 'zod'
import { archiveEnv, days } from '../archive/env.ts'
import { pruneAudit } from './audit.ts'
import { removeDeletedSessions } from './deleted-sessions.ts'

/** The variables of the process that removes records which are older than the operator keeps. */
const recordsEnv = {
  SVC_AUDIT_DAYS: days.default(0).describe('how long the audit log is kept; 0 for ever'),
  SVC_SECRET_ACCESS_DAYS: days
    .default(0)
    .describe('how long it is kept which sandbox was given which secrets; 0 for ever'),
  SVC_DELETED_SESSION_DAYS: days
    .default(30)
    .describe('how long the rows of deleted sessions are kept, with their prompts and events; 0 for ever'),
  SVC_WORK_HISTORY_DAYS: days
    .default(30)
    .describe('how long attempts to merge, edits of manifests and failures of jobs are kept; 0 for ever'),
} as const

/** The variables of the process that keeps the database to what is live. */
export const retentionEnv = { ...recordsEnv, ...archiveEnv }

export type RetentionSettings = z.infer<z.ZodObject<typeof retentionEnv>>
type RecordSettings = z.infer<z.ZodObject<typeof recordsEnv>>

const dayMs = 24 * 3_600_000
const batch = 5_000

type SweepContext = Pick<JobContext, 'db' | 'locks' | 'now' | 'newId'>
type Removal = (ctx: SweepContext, before: Date, signal: AbortSignal) => Promise<number>

const removals: { readonly [Setting in keyof RecordSettings]: Removal } = {
  SVC_AUDIT_DAYS: (ctx, before) => pruneAudit(ctx, before, batch),
  SVC_SECRET_ACCESS_DAYS: ({ db }, before) => secretAccesses.removeOlder(db, before, batch),
  SVC_DELETED_SESSION_DAYS: removeDeletedSessions,
  SVC_WORK_HISTORY_DAYS: async ({ db }, before) =>
    (await merges.removeFinished(db, before, batch)) +
    (await manifestEdits.removeFinished(db, before, batch)) +
    (await jobFailures.removeOlder(db, before, batch)) +
    (await checkRuns.removeOlder(db, before, batch)),
}

/** Removes records that are older than they are kept; how many rows. */
export async function sweepOldRecords(
  ctx: SweepContext,
  settings: RecordSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let removed = 0
  for (const [setting, remove] of Object.entries(removals)) {
    const kept = settings[setting as keyof RecordSettings]
    if (kept === 0 || signal.aborted) continue
    removed += await remove(ctx, new Date(ctx.now().getTime() - kept * dayMs), signal)
  }
  return removed
}
