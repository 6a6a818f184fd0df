import { mergeMessage, statusAfter } from '@svc/change-request'
import {
  type ChangeRequestRow,
  changeRequests,
  type Db,
  type MergeAttemptRow,
  type MergeIntentRow,
  type MergeOutcome,
  merges,
  type ProjectRow,
  projects,
  sessions,
  triggerCatalogues,
  withLock,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { moveBranch, planMerge, type Repository, resolveBranch } from '@svc/git'
import { somebody } from '../audit/asker.ts'
import { recordAuditFor } from '../audit/record.ts'
import { containsCommit, hasCommit } from '../base-moves/contains-commit.ts'
import { outcomeOf } from '../base-moves/refusal.ts'
import type { JobContext } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
import { treeOf } from '../sessions/tree.ts'
import { notAhead, unknownBase } from './ahead.ts'
import { ofChangeRequest } from './audit.ts'
import { liveTips } from './live-tips.ts'
import { manifestGate } from './manifest-gate.ts'
import { refuseSelfMerge } from './own-work.ts'

/** How often a merge starts over because its base moved under it. */
const rounds = 10

/**
 * Gives a merge attempt its outcome. An intent row says what is about to happen to the base ref before it happens, so
 * that whoever comes after a crash finds out from git which of the two happened.
 */
export async function runMergeAttempt(ctx: JobContext, input: { attempt_id: string }): Promise<void> {
  const attempt = await merges.findAttempt(ctx.db, input.attempt_id)
  if (attempt?.status !== 'pending') return
  await withLock(ctx.locks, `merge:${attempt.project_id}`, async () => {
    const [current, project, leftover] = await Promise.all([
      merges.findAttempt(ctx.db, input.attempt_id),
      projects.find(ctx.db, attempt.project_id),
      merges.findPlanned(ctx.db, attempt.cr_id),
    ])
    if (current?.status !== 'pending' || !project) return
    try {
      const repository = await openRepository(ctx, project)
      if (
        leftover &&
        (await settleLeftover(ctx, project, repository, { intent: leftover, attempt: current }))
      )
        return
      await mergeNow(ctx, project, repository, current)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // Planned and not settled: the ref may have moved, so this is no end. The next run asks git what happened.
      if (await merges.findPlanned(ctx.db, current.cr_id)) throw error
      await ctx.db.transaction().execute((tx) => end(ctx, tx, current, outcomeOf(error)))
    }
  })
}

/** Brings a plan whose end is not known to one; true when that was the end of this very attempt. */
async function settleLeftover(
  ctx: JobContext,
  project: ProjectRow,
  repository: Repository,
  { intent, attempt }: { readonly intent: MergeIntentRow; readonly attempt: MergeAttemptRow },
): Promise<boolean> {
  if (await hasCommit(repository, intent.commit_sha)) {
    const merged = await carryOut(ctx, project, repository, intent)
    return merged && intent.attempt_id === attempt.attempt_id
  }
  await merges.settleIntent(ctx.db, intent.intent_id, 'abandoned')
  return false
}

/**
 * Moves the base as planned, and again as long as it is where the plan found it: a push of a dead worker may still be
 * on its way, and only the same push ends in the same place. False once the base is elsewhere without the merge.
 */
async function carryOut(
  ctx: JobContext,
  project: ProjectRow,
  opened: Repository,
  intent: MergeIntentRow,
): Promise<boolean> {
  const { intent_id, base_ref, base_sha, commit_sha } = intent
  let repository = opened
  for (let round = 0; round < rounds; round += 1) {
    const move = await moveBranch(repository, { branch: base_ref, from_sha: base_sha, to_sha: commit_sha })
    if (move.kind === 'moved') {
      await finish(ctx, intent)
      return true
    }
    if (move.kind === 'rejected') {
      await merges.settleIntent(ctx.db, intent_id, 'abandoned')
      throw new ServiceError('repository_push_rejected', move.message)
    }
    repository = await openRepository(ctx, project)
    const tip = await resolveBranch(repository, base_ref)
    if (tip !== null && (await containsCommit(repository, tip, commit_sha))) {
      await finish(ctx, intent)
      return true
    }
    if (tip === base_sha) continue
    await merges.settleIntent(ctx.db, intent_id, 'abandoned')
    return false
  }
  throw stillMoving()
}

async function mergeNow(
  ctx: JobContext,
  project: ProjectRow,
  opened: Repository,
  attempt: MergeAttemptRow,
): Promise<void> {
  let repository = opened
  for (let round = 0; round < rounds; round += 1) {
    if (await carryOut(ctx, project, repository, await plan(ctx, repository, attempt))) return
    repository = await openRepository(ctx, project)
  }
  throw stillMoving()
}

const stillMoving = () => new ServiceError('CR_STALE_BASE', 'The base branch kept moving; merge again')

/** Decides what to do to the base ref and writes it down. Refusals leave git and the row as they are. */
async function plan(
  ctx: JobContext,
  repository: Repository,
  attempt: MergeAttemptRow,
): Promise<MergeIntentRow> {
  const cr = await changeRequests.find(ctx.db, { project_id: attempt.project_id, cr: attempt.cr_id })
  if (!cr) throw new ServiceError('not_found', 'There is no such change request')
  statusAfter(cr.status, 'merge')
  const { base_ref } = cr
  const { base_sha, head_sha } = await liveTips(repository, cr)
  if (base_sha === null) throw unknownBase(base_ref)
  if (head_sha === null) throw notAhead(`The branch ${cr.head_ref} is gone`)
  refuseStale('CR_STALE_HEAD', 'head', attempt.expected_head_sha, head_sha)
  refuseStale('CR_STALE_BASE', 'base', attempt.expected_base_sha, base_sha)
  // After the tips were read: whoever pushed what they show is noted before git takes it.
  await refuseOwnSession(ctx.db, attempt, cr)

  const { issues, blocking } = await manifestGate(repository, { base_sha, head_sha })
  if (blocking.length > 0) {
    const wrong =
      blocking.length === issues.length ? 'is not valid' : `has errors that ${base_ref} has not: correct them`
    throw new ServiceError('MANIFEST_INVALID', `The manifest on the head branch ${wrong}`, {
      issues: blocking,
    })
  }
  const now = ctx.now()
  const message = mergeMessage(cr, attempt.message ?? undefined)
  // Not the time of this run: planned again on the same commits, the merge is the same commit.
  const committed_at = attempt.created_at
  const planned = await planMerge(repository, { base_sha, head_sha, message, committed_at })
  switch (planned.kind) {
    case 'up_to_date':
      throw notAhead(`${base_ref} already contains ${cr.head_ref}`)
    case 'unrelated':
      throw new ServiceError('CR_UNRELATED_HISTORIES', 'The branches have no common history')
    case 'conflict':
      throw new ServiceError('MERGE_CONFLICT', planned.message, { conflicts: planned.conflicts })
    case 'fast_forward':
    case 'merge_commit': {
      const intent: MergeIntentRow = {
        intent_id: ctx.newId(),
        attempt_id: attempt.attempt_id,
        cr_id: cr.cr_id,
        base_ref,
        base_sha,
        head_sha,
        commit_sha: planned.commit_sha,
        fast_forward: planned.kind === 'fast_forward',
        state: 'planned',
        created_at: now,
      }
      await ctx.db.transaction().execute(async (tx) => {
        const locked = await changeRequests.lock(tx, cr.cr_id)
        statusAfter(locked?.status ?? 'closed', 'merge')
        await merges.insertIntent(tx, intent)
      })
      return intent
    }
  }
}

/** The head may have been pushed to by the session that asked since its request was let through. */
async function refuseOwnSession(db: Db, { asked_by }: MergeAttemptRow, cr: ChangeRequestRow): Promise<void> {
  if (asked_by === null || asked_by.actor.type !== 'session') return
  const session = await sessions.findById(db, asked_by.actor.id)
  if (!session) throw new ServiceError('forbidden', 'The session that asked for the merge is gone')
  await refuseSelfMerge(db, { tree_id: treeOf(session), merge_granted: session.merge_granted }, cr)
}

function refuseStale(
  code: 'CR_STALE_HEAD' | 'CR_STALE_BASE',
  which: string,
  expected: string | null,
  actual: string,
): void {
  if (expected === null || expected === actual) return
  throw new ServiceError(code, `The ${which} branch is at ${actual}, not at ${expected}`, {
    actual_sha: actual,
  })
}

/** The ref has moved: row, intent and attempt say so together. */
async function finish(ctx: JobContext, intent: MergeIntentRow): Promise<void> {
  const outcome: MergeOutcome = {
    kind: 'merged',
    merge_commit_sha: intent.commit_sha,
    fast_forward: intent.fast_forward,
    base_sha_before: intent.base_sha,
    base_sha_after: intent.commit_sha,
  }
  const project_id = await ctx.db.transaction().execute(async (tx) => {
    if (!(await merges.settleIntent(tx, intent.intent_id, 'moved'))) return null
    const attempt = await merges.findAttempt(tx, intent.attempt_id)
    if (!attempt) throw new Error('An intent without its attempt')
    await markMerged(tx, intent, { merged_by: attempt.requested_by, now: ctx.now() })
    // The base may be the default branch, whose triggers are read again.
    await triggerCatalogues.markChanged(tx, attempt.project_id, ctx.now())
    await end(ctx, tx, attempt, outcome)
    return attempt.project_id
  })
  if (project_id === null) return
  // It may declare other sandboxes as well; where this job is lost, the next session makes them.
  await ctx.enqueue('session', 'templates.build', { project_id }).catch((error: unknown) => {
    ctx.log.warn({ err: error, project_id }, 'templates are not built ahead')
  })
}

/** Ends the attempt together with its event, in the name of whoever asked. */
async function end(ctx: JobContext, tx: Db, attempt: MergeAttemptRow, outcome: MergeOutcome): Promise<void> {
  const { attempt_id, project_id, cr_id, asked_by, requested_by } = attempt
  if (!(await merges.finishAttempt(tx, attempt_id, outcome, ctx.now()))) return
  const cr = await changeRequests.find(tx, { project_id, cr: cr_id })
  if (!cr) return
  const entry = ofChangeRequest('mergeChangeRequest', cr)
  const refused = outcome.kind === 'refused' && {
    outcome: 'failed' as const,
    details: { code: outcome.code },
  }
  await recordAuditFor(ctx, tx, asked_by ?? somebody(requested_by), { ...entry, ...refused })
}

async function markMerged(
  tx: Db,
  intent: MergeIntentRow,
  { merged_by, now }: { readonly merged_by: string; readonly now: Date },
): Promise<void> {
  const merged = await changeRequests.apply(tx, intent.cr_id, 'merge', {
    status: 'merged',
    head_commit_sha: intent.head_sha,
    base_commit_sha: intent.base_sha,
    merge_commit_sha: intent.commit_sha,
    merged_at: now,
    merged_by,
    updated_at: now,
  })
  if (!merged) throw new Error('A planned change request was no longer open')
}
