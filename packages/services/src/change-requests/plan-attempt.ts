import { mergeMessage, statusAfter } from '@svc/change-request'
import type { JobContext } from '@svc/context'
import {
  type ChangeRequestRow,
  changeRequests,
  type Db,
  type MergeAttemptRow,
  type MergeIntentRow,
  merges,
  sessions,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { planMerge, type Repository } from '@svc/git'
import { treeOf } from '@svc/session'
import { headGone, notAhead, unknownBase } from './ahead.ts'
import { liveTips } from './live-tips.ts'
import { manifestGate } from './manifest-gate.ts'
import { refuseSelfMerge } from './own-work.ts'

/** Decides what to do to the base ref and writes it down. Refusals leave git and the row as they are. */
export async function planAttempt(
  ctx: JobContext,
  repository: Repository,
  attempt: MergeAttemptRow,
): Promise<MergeIntentRow> {
  const cr = await changeRequests.find(ctx.db, { project_id: attempt.project_id, cr: attempt.cr_id })
  if (!cr) throw new ServiceError('not_found', 'There is no such change request; list those of the project')
  statusAfter(cr.status, 'merge')
  const { base_ref } = cr
  const { base_sha, head_sha } = await liveTips(repository, cr)
  if (base_sha === null) throw unknownBase(base_ref)
  if (head_sha === null) throw headGone(cr)
  refuseStale('CR_STALE_HEAD', 'head', attempt.expected_head_sha, head_sha)
  refuseStale('CR_STALE_BASE', 'base', attempt.expected_base_sha, base_sha)
  // Checked after the tips were read: a session that pushed them was noted before git took the push.
  await refuseOwnSession(ctx.db, attempt, cr)

  const { issues, blocking } = await manifestGate(repository, { base_sha, head_sha })
  if (blocking.length > 0) {
    const wrong =
      blocking.length === issues.length
        ? 'is not valid: correct it'
        : `has errors that ${base_ref} has not: correct them`
    throw new ServiceError('MANIFEST_INVALID', `The manifest on the head branch ${wrong}`, {
      issues: blocking,
    })
  }
  const now = ctx.now()
  const message = mergeMessage(cr, attempt.message ?? undefined)
  // Not the time of this run: a new plan on the same commits makes the same merge commit.
  const committed_at = attempt.created_at
  const planned = await planMerge(repository, { base_sha, head_sha, message, committed_at })
  switch (planned.kind) {
    case 'up_to_date':
      throw notAhead(
        `${base_ref} already contains ${cr.head_ref}; push a commit to it, or close the change request`,
      )
    case 'unrelated':
      throw new ServiceError(
        'CR_UNRELATED_HISTORIES',
        'The branches have no common history; begin the head branch at a commit of the base branch',
      )
    case 'conflict':
      throw new ServiceError(
        'MERGE_CONFLICT',
        `${planned.message}; merge ${base_ref} into ${cr.head_ref}, resolve it and push`,
        { conflicts: planned.conflicts },
      )
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

/** Checks the session that asked once more: it may have pushed to the head since its request was let through. */
async function refuseOwnSession(db: Db, { asked_by }: MergeAttemptRow, cr: ChangeRequestRow): Promise<void> {
  if (asked_by === null || asked_by.actor.type !== 'session') return
  const session = await sessions.findById(db, asked_by.actor.id)
  if (!session)
    throw new ServiceError(
      'forbidden',
      'The session that asked for the merge is gone; ask for the merge again',
    )
  await refuseSelfMerge(db, { tree_id: treeOf(session), merge_granted: session.merge_granted }, cr)
}

function refuseStale(
  code: 'CR_STALE_HEAD' | 'CR_STALE_BASE',
  which: string,
  expected: string | null,
  actual: string,
): void {
  if (expected === null || expected === actual) return
  throw new ServiceError(
    code,
    `The ${which} branch is at ${actual}, not at ${expected}; look at the change request again before you merge`,
    {
      actual_sha: actual,
    },
  )
}
