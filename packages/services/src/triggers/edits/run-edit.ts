import { type JobContext, recordAuditFor, askerFor } from '@svc/context'
import {
  type Db,
  type ManifestEditEnd,
  manifestEdits,
  type ManifestEditRow,
  type ProjectRow,
  triggerCatalogues,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { resolveBranch } from '@svc/git'
import type { ManifestEdit } from '@svc/manifest'
import type { BaseMove, PlannedMove } from '../../base-moves/base-move.ts'
import { moveBase } from '../../base-moves/move-base.ts'
import { outcomeOf } from '../../base-moves/refusal.ts'
import { nounOf, slugOf, writeEdit } from './write-edit.ts'

/** Commits an edit of the manifest to the default branch; its plan is the commit that its row names. */
export async function runManifestEdit(ctx: JobContext, input: { attempt_id: string }): Promise<void> {
  const asked = await manifestEdits.find(ctx.db, input.attempt_id)
  if (asked?.status !== 'pending') return
  await moveBase(ctx, asked, async (project) => {
    const edit = await manifestEdits.find(ctx.db, input.attempt_id)
    return edit?.status === 'pending' ? commitOf(ctx, { edit, project }) : null
  })
}

function commitOf(ctx: JobContext, asked: AskedEdit): BaseMove<PlannedMove> {
  const { edit_id } = asked.edit
  const branch = asked.project.default_branch
  const planned = (to_sha: string, from_sha: string | null): PlannedMove => ({
    attempt_id: edit_id,
    branch,
    from_sha,
    to_sha,
  })
  return {
    attempt_id: edit_id,
    findPlanned: async () => {
      const planned_sha = (await manifestEdits.find(ctx.db, edit_id))?.planned_sha ?? null
      return planned_sha === null ? null : planned(planned_sha, null)
    },
    plan: async (repository) => {
      const found = await resolveBranch(repository, branch)
      const { tip, commit_sha } = await writeEdit(repository, found, changeOf(asked.edit))
      if (commit_sha === null) {
        await finish(ctx, asked, tip, false)
        return null
      }
      await manifestEdits.plan(ctx.db, edit_id, commit_sha)
      return planned(commit_sha, tip)
    },
    finish: ({ to_sha }) => finish(ctx, asked, to_sha, true),
    abandon: () => manifestEdits.plan(ctx.db, edit_id, null),
    refuse: (refusal) => {
      const refused = { event: 'refuse', outcome: outcomeOf(refusal) } as const
      return ctx.db.transaction().execute((tx) => end(ctx, tx, asked, refused))
    },
    keptMoving: () => new ServiceError('conflict', 'The default branch kept moving; try again'),
  }
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
    await end(ctx, tx, asked, { event: 'finish', outcome: { commit_sha, changed } })
  })
}

/** Ends the edit together with its event, in the name of the caller who asked. */
async function end(
  ctx: JobContext,
  tx: Db,
  { edit, project }: AskedEdit,
  how: ManifestEditEnd,
): Promise<void> {
  if (!(await manifestEdits.finish(tx, edit.edit_id, how, ctx.now()))) return
  const change = editOf(edit)
  const { account_id, project_id } = project
  const target = `projects/${project_id}/${nounOf(change)}s/${slugOf(change)}`
  const entry = { account_id, project_id, action: actions[change.kind], target }
  const ended =
    how.event === 'refuse'
      ? { outcome: 'failed' as const, details: { code: how.outcome.code } }
      : { details: { ...how.outcome } }
  await recordAuditFor(ctx, tx, edit.asked_by ?? askerFor(edit.requested_by), { ...entry, ...ended })
}

const actions: Readonly<Record<ManifestEdit['kind'], string>> = {
  add_trigger: 'createTrigger',
  change_trigger: 'updateTrigger',
  set_enabled: 'updateTrigger',
  remove_trigger: 'deleteTrigger',
  add_connector: 'createConnector',
  remove_connector: 'deleteConnector',
}

function changeOf(row: ManifestEditRow) {
  return { edit: editOf(row), requested_by: row.requested_by, committed_at: row.created_at }
}

/** The verbs wrote the edit from this very type, and no other code writes it. */
function editOf({ edit }: ManifestEditRow): ManifestEdit {
  return edit as unknown as ManifestEdit
}
