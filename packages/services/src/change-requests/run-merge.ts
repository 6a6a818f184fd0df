import { type JobContext, recordAuditFor, askerFor } from '@svc/context'
import {
  changeRequests,
  type Db,
  type MergeAttemptRow,
  type MergeEnd,
  type MergeIntentRow,
  merges,
  triggerCatalogues,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { BaseMove, PlannedMove } from '../base-moves/base-move.ts'
import { moveBase } from '../base-moves/move-base.ts'
import { outcomeOf } from '../base-moves/refusal.ts'
import { ofChangeRequest } from './audit.ts'
import { planAttempt } from './plan-attempt.ts'

/** Gives a merge attempt its outcome; its plans are the intents of its change request. */
export async function runMergeAttempt(ctx: JobContext, input: { attempt_id: string }): Promise<void> {
  const asked = await merges.findAttempt(ctx.db, input.attempt_id)
  if (asked?.status !== 'pending') return
  try {
    await moveBase(ctx, asked, async () => {
      const attempt = await merges.findAttempt(ctx.db, input.attempt_id)
      return attempt?.status === 'pending' ? mergeOf(ctx, attempt) : null
    })
  } catch (error) {
    // Still owed: this is one try of it.
    measureMerge(ctx, asked, 'failed')
    throw error
  }
}

interface PlannedMerge extends PlannedMove {
  readonly intent: MergeIntentRow
}

function mergeOf(ctx: JobContext, attempt: MergeAttemptRow): BaseMove<PlannedMerge> {
  const { attempt_id, cr_id } = attempt
  return {
    attempt_id,
    findPlanned: async () => {
      const intent = await merges.findPlanned(ctx.db, cr_id)
      return intent === undefined ? null : planned(intent)
    },
    plan: async (repository) => planned(await planAttempt(ctx, repository, attempt)),
    finish: ({ intent }) => finish(ctx, intent),
    abandon: async ({ intent }) => {
      await merges.settleIntent(ctx.db, intent.intent_id, 'abandon')
    },
    refuse: (refusal) => {
      const refused = { event: 'refuse', outcome: outcomeOf(refusal) } as const
      return ctx.db.transaction().execute((tx) => end(ctx, tx, attempt, refused))
    },
    keptMoving: () => new ServiceError('CR_STALE_BASE', 'The base branch kept moving; merge again'),
  }
}

function planned(intent: MergeIntentRow): PlannedMerge {
  const { attempt_id, base_ref: branch, base_sha: from_sha, commit_sha: to_sha } = intent
  return { attempt_id, branch, from_sha, to_sha, intent }
}

/** The ref has moved: row, intent and attempt say so together. */
async function finish(ctx: JobContext, intent: MergeIntentRow): Promise<void> {
  const outcome = {
    merge_commit_sha: intent.commit_sha,
    fast_forward: intent.fast_forward,
    base_sha_before: intent.base_sha,
    base_sha_after: intent.commit_sha,
  }
  const project_id = await ctx.db.transaction().execute(async (tx) => {
    if (!(await merges.settleIntent(tx, intent.intent_id, 'move'))) return null
    const attempt = await merges.findAttempt(tx, intent.attempt_id)
    if (!attempt) throw new Error('An intent without its attempt')
    await markMerged(tx, intent, { merged_by: attempt.requested_by, now: ctx.now() })
    // The base may be the default branch, whose triggers are read again.
    await triggerCatalogues.markChanged(tx, attempt.project_id, ctx.now())
    await end(ctx, tx, attempt, { event: 'merge', outcome })
    return attempt.project_id
  })
  if (project_id === null) return
  // It may declare other sandboxes as well; where this job is lost, the next session makes them.
  await ctx.enqueue('session', 'templates.build', { project_id }).catch((error: unknown) => {
    ctx.log.warn({ err: error, project_id }, 'templates are not built ahead')
  })
}

/** Ends the attempt together with its event, in the name of the caller who asked for the merge. */
async function end(ctx: JobContext, tx: Db, attempt: MergeAttemptRow, how: MergeEnd): Promise<void> {
  const { attempt_id, project_id, cr_id, asked_by, requested_by } = attempt
  if (!(await merges.finishAttempt(tx, attempt_id, how, ctx.now()))) return
  measureMerge(ctx, attempt, how.event === 'merge' ? 'merged' : refusalKind(how.outcome.code))
  const cr = await changeRequests.find(tx, { project_id, cr: cr_id })
  if (!cr) return
  const entry = ofChangeRequest('mergeChangeRequest', cr)
  const refused = how.event === 'refuse' && {
    outcome: 'failed' as const,
    details: { code: how.outcome.code },
  }
  await recordAuditFor(ctx, tx, asked_by ?? askerFor(requested_by), { ...entry, ...refused })
}

function measureMerge(
  { metrics, now }: Pick<JobContext, 'metrics' | 'now'>,
  { created_at }: MergeAttemptRow,
  outcome: string,
): void {
  const took_ms = now().getTime() - created_at.getTime()
  metrics.observe('svc_merge_duration_seconds', { outcome }, took_ms / 1000)
}

function refusalKind(code: string): 'conflict' | 'stale' | 'refused' {
  if (code === 'MERGE_CONFLICT') return 'conflict'
  return code === 'CR_STALE_BASE' || code === 'CR_STALE_HEAD' ? 'stale' : 'refused'
}

async function markMerged(
  tx: Db,
  intent: MergeIntentRow,
  { merged_by, now }: { readonly merged_by: string; readonly now: Date },
): Promise<void> {
  const merge = {
    head_commit_sha: intent.head_sha,
    base_commit_sha: intent.base_sha,
    merge_commit_sha: intent.commit_sha,
    merged_by,
  }
  const merged = await changeRequests.apply(tx, intent.cr_id, 'merge', merge, now)
  if (!merged) throw new Error('A planned change request was no longer open')
}
