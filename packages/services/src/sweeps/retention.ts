import type { BaseContext } from '@svc/context'
import { checkRuns, jobFailures, manifestEdits, merges, secretAccesses } from '@svc/db'
import { z } from 'zod'
import { pruneAudit } from './audit.ts'
import { removeDeletedSessions } from './deleted-sessions.ts'

const days = z.coerce.number().int().min(0).max(36_500)

/** The variables of the process that removes what is older than the operator keeps. */
export const retentionEnv = {
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

export type RetentionSettings = z.infer<z.ZodObject<typeof retentionEnv>>

const dayMs = 24 * 3_600_000
const batch = 5_000

type SweepContext = Pick<BaseContext, 'db' | 'now' | 'newId'>
type Removal = (ctx: SweepContext, before: Date, signal: AbortSignal) => Promise<number>

const removals: { readonly [Setting in keyof RetentionSettings]: Removal } = {
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
  settings: RetentionSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let removed = 0
  for (const [setting, remove] of Object.entries(removals)) {
    const kept = settings[setting as keyof RetentionSettings]
    if (kept === 0 || signal.aborted) continue
    removed += await remove(ctx, new Date(ctx.now().getTime() - kept * dayMs), signal)
  }
  return removed
}
