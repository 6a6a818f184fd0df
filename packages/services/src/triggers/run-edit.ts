import {
  type Db,
  type ManifestEditOutcome,
  manifestEdits,
  type ManifestEditRow,
  type ProjectRow,
  projects,
  triggerCatalogues,
  withLock,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { moveBranch, resolveBranch } from '@svc/git'
import type { ManifestEdit } from '@svc/manifest'
import { somebody } from '../audit/asker.ts'
import { recordAuditFor } from '../audit/record.ts'
import { containsCommit } from '../base-moves/contains-commit.ts'
import { outcomeOf } from '../base-moves/refusal.ts'
import type { JobContext } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
import { ofTriggers } from './audit.ts'
import { slugOf, writeEdit } from './write-edit.ts'

const rounds = 10

/**
 * Commits an edit of the manifest to the default branch, in turn with the merges of the project and by the same
 * compare-and-set. The commit is written down before the branch moves, so that a repeat after a crash finds it there.
 */
export async function runManifestEdit(ctx: JobContext, input: { attempt_id: string }): Promise<void> {
  const asked = await manifestEdits.find(ctx.db, input.attempt_id)
  if (asked?.status !== 'pending') return
  await withLock(ctx.locks, `merge:${asked.project_id}`, async () => {
    const edit = await manifestEdits.find(ctx.db, input.attempt_id)
    const project = await projects.find(ctx.db, asked.project_id)
    if (edit?.status !== 'pending' || !project) return
    try {
      await commitEdit(ctx, project, edit)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // An earlier run may have moved the branch: only git can tell, and it does not answer now.
      if (error.code === 'git_mirror_unavailable' && edit.planned_sha !== null) throw error
      await ctx.db.transaction().execute((tx) => end(ctx, tx, { edit, project }, outcomeOf(error)))
    }
  })
}

async function commitEdit(ctx: JobContext, project: ProjectRow, edit: ManifestEditRow): Promise<void> {
  let planned = edit.planned_sha
  for (let round = 0; round < rounds; round += 1) {
    const repository = await openRepository(ctx, project)
    const tip = await resolveBranch(repository, project.default_branch)
    if (tip !== null && planned !== null && (await containsCommit(repository, tip, planned)))
      return finish(ctx, { edit, project }, planned, true)
    const written = await writeEdit(repository, tip, asked(edit))
    if (written.commit_sha === null) return finish(ctx, { edit, project }, written.tip, false)
    planned = written.commit_sha
    await manifestEdits.plan(ctx.db, edit.edit_id, planned)
    const move = await moveBranch(repository, {
      branch: project.default_branch,
      from_sha: written.tip,
      to_sha: planned,
    })
    if (move.kind === 'moved') return finish(ctx, { edit, project }, planned, true)
    if (move.kind === 'rejected') throw new ServiceError('repository_push_rejected', move.message)
  }
  throw new ServiceError('conflict', 'The default branch kept moving; try again')
}

interface AskedEdit {
  readonly edit: ManifestEditRow
  readonly project: ProjectRow
}

async function finish(
  ctx: JobContext,
  asked: AskedEdit,
  commit_sha: string,
  changed: boolean,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await triggerCatalogues.markChanged(tx, asked.project.project_id, ctx.now())
    await end(ctx, tx, asked, { kind: 'done', commit_sha, changed })
  })
}

/** Ends the edit together with its event, in the name of whoever asked. */
async function end(
  ctx: JobContext,
  tx: Db,
  { edit, project }: AskedEdit,
  outcome: ManifestEditOutcome,
): Promise<void> {
  if (!(await manifestEdits.finish(tx, edit.edit_id, outcome, ctx.now()))) return
  const change = editOf(edit)
  const slug = slugOf(change)
  const entry = ofTriggers(actions[change.kind], project, slug)
  const ended =
    outcome.kind === 'refused'
      ? { outcome: 'failed' as const, details: { code: outcome.code } }
      : { details: { commit_sha: outcome.commit_sha, changed: outcome.changed } }
  await recordAuditFor(ctx, tx, edit.asked_by ?? somebody(edit.requested_by), { ...entry, ...ended })
}

const actions: Readonly<Record<ManifestEdit['kind'], string>> = {
  add_trigger: 'createTrigger',
  change_trigger: 'updateTrigger',
  set_enabled: 'updateTrigger',
  remove_trigger: 'deleteTrigger',
}

function asked(row: ManifestEditRow) {
  return { edit: editOf(row), requested_by: row.requested_by, committed_at: row.created_at }
}

/** The edit was written from this very type by the verbs, and by nobody else. */
function editOf({ edit }: ManifestEditRow): ManifestEdit {
  return edit as unknown as ManifestEdit
}
