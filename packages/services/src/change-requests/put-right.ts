import { askerFor, type JobContext, recordAuditFor } from '@svc/context'
import { changeRequests, merges, projects, triggerCatalogues, withLock } from '@svc/db'
import { isAncestor, type LandedMerge, moveBranch, resolveBranch } from '@svc/git'
import { containsCommit, hasCommit } from '../base-moves/contains-commit.ts'
import { openRepository } from '../projects/repository.ts'
import { ofChangeRequest } from './audit.ts'

interface ChangeRequestKey {
  readonly project_id: string
  readonly cr_id: string
}

/**
 * Moves a base to the commit that a merged change request became, where the base lost it and only has to go forward: in turn
 * with the merges of the project, by their compare-and-set. False where that is not so.
 */
export async function restoreMerged(
  ctx: JobContext,
  { project_id, cr_id }: ChangeRequestKey,
): Promise<boolean> {
  return withLock(ctx.locks, `merge:${project_id}`, async () => {
    const project = await projects.find(ctx.db, project_id)
    const cr = await changeRequests.find(ctx.db, { project_id, cr: cr_id })
    if (!project || cr?.status !== 'merged' || cr.merge_commit_sha === null) return false
    const repository = await openRepository(ctx, project)
    const { base_ref: branch, merge_commit_sha: to_sha } = cr
    const from_sha = await resolveBranch(repository, branch)
    if (from_sha === null || !(await hasCommit(repository, to_sha))) return false
    if (await isAncestor(repository, to_sha, from_sha)) return true
    if (!(await isAncestor(repository, from_sha, to_sha))) return false
    const moved = await moveBranch(repository, { branch, from_sha, to_sha })
    return moved.kind === 'moved'
  })
}

/** Writes down that an open change request was merged by a commit that is in its base. */
export async function finishLanded(
  ctx: JobContext,
  { project_id, cr_id }: ChangeRequestKey,
  landed: LandedMerge,
): Promise<boolean> {
  return withLock(ctx.locks, `merge:${project_id}`, async () => {
    const project = await projects.find(ctx.db, project_id)
    const cr = await changeRequests.find(ctx.db, { project_id, cr: cr_id })
    if (!project || cr?.status !== 'open' || (await merges.findPlanned(ctx.db, cr_id))) return false
    const repository = await openRepository(ctx, project)
    const tip = await resolveBranch(repository, cr.base_ref)
    if (tip === null || !(await containsCommit(repository, tip, landed.commit_sha))) return false
    return ctx.db.transaction().execute(async (tx) => {
      const { head_sha, base_sha, commit_sha } = landed
      const merge = { head_commit_sha: head_sha, base_commit_sha: base_sha, merge_commit_sha: commit_sha }
      const merged_by = (await merges.lastAsker(tx, cr_id)) ?? cr.created_by
      const now = ctx.now()
      if (!(await changeRequests.apply(tx, cr_id, 'merge', { ...merge, merged_by }, now))) return false
      await triggerCatalogues.markChanged(tx, project_id, now)
      const entry = ofChangeRequest('mergeChangeRequest', cr)
      const details = { by_operator: true, merge_commit_sha: commit_sha }
      await recordAuditFor(ctx, tx, askerFor(merged_by), { ...entry, details })
      return true
    })
  })
}
