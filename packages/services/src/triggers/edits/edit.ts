import { askerOf, type Context, requireActor, requireProject } from '@svc/context'
import type { Capability } from '@svc/facts'
import { type ChangeRequestRow, jsonb, manifestEdits } from '@svc/db'
import type { ManifestEdit, EntryFields } from '@svc/manifest'
import { askForMove } from '../../base-moves/ask-for-move.ts'
import { tryRefreshCatalogue } from '../catalogue.ts'
import { getTriggerRow, type TriggerInput } from '../list.ts'
import { shownMonitor } from '../monitors/shown.ts'
import { presentTrigger } from '../present.ts'
import { proposeEdit } from './propose-edit.ts'

export type EditContext = Pick<
  Context,
  | 'db'
  | 'principal'
  | 'now'
  | 'newId'
  | 'trail'
  | 'enqueue'
  | 'listener'
  | 'signal'
  | 'settings'
  | 'repositories'
  | 'vault'
>

/** An edit that a session asked for: it waits in a change request for a person. */
export interface ProposedEdit {
  readonly status: 'proposed'
  readonly change_request: ChangeRequestRow
}

/** An edit that stands on the default branch. */
export interface CommittedEdit {
  readonly status: 'committed'
  /** The tip that has it; the tip as it was where there was nothing to change. */
  readonly commit_sha: string
}

/** Commits a new entry to the manifest on the default branch. */
export async function createTrigger(
  ctx: EditContext,
  input: { readonly project_id: string; readonly trigger: EntryFields & { readonly slug: string } },
) {
  const { project_id } = input
  const { slug } = input.trigger
  const change = { kind: 'add_trigger', trigger: named(input.trigger) } as const
  const proposed = await askForEdit(ctx, project_id, 'project.trigger.create', change)
  if (proposed?.status === 'proposed') return proposed
  const row = await getTriggerRow(ctx, { project_id, slug })
  return presentTrigger(ctx.settings, row, await shownMonitor(ctx, row))
}

/** Changes the fields that are given; null takes one away. Without a difference there is no commit. */
export async function updateTrigger(
  ctx: EditContext,
  input: TriggerInput & { readonly changes: EntryFields },
) {
  const { slug } = input
  const change = { kind: 'change_trigger', slug, changes: named(input.changes) } as const
  const proposed = await askForEdit(ctx, input.project_id, 'project.trigger.update', change)
  if (proposed?.status === 'proposed') return proposed
  const row = await getTriggerRow(ctx, input)
  return presentTrigger(ctx.settings, row, await shownMonitor(ctx, row))
}

export async function deleteTrigger(ctx: EditContext, input: TriggerInput) {
  const { project_id, slug } = input
  const proposed = await askForEdit(ctx, project_id, 'project.trigger.delete', {
    kind: 'remove_trigger',
    slug,
  })
  return proposed?.status === 'proposed' ? proposed : { slug, deleted: true as const }
}

/** The wire's `prompt_template` is the manifest's `prompt`. */
function named(fields: EntryFields): EntryFields {
  const { prompt_template, ...others } = fields
  const { prompt = prompt_template } = fields
  return prompt === undefined ? others : { ...others, prompt }
}

/** True when a verb's answer is an edit that waits for a person. */
export function isProposed(answer: object): answer is ProposedEdit {
  return 'status' in answer && answer.status === 'proposed'
}

/**
 * Asks the merge-worker for the commit and waits for it; the request itself is durable. Null for a proposal that would
 * change nothing; an edit that a session asks for is proposed.
 */
export async function askForEdit(
  ctx: EditContext,
  project_id: string,
  capability: Capability,
  change: ManifestEdit,
): Promise<ProposedEdit | CommittedEdit | null> {
  const project = await requireProject(ctx, project_id, capability)
  if (ctx.principal.type === 'session') {
    const change_request = await proposeEdit(ctx, project, change)
    return change_request && { status: 'proposed', change_request }
  }
  const edit_id = ctx.newId()
  await manifestEdits.insert(ctx.db, {
    edit_id,
    project_id,
    requested_by: requireActor(ctx),
    asked_by: jsonb(askerOf(ctx)),
    edit: jsonb(change),
    planned_sha: null,
    created_at: ctx.now(),
    finished_at: null,
  })
  const { commit_sha } = await askForMove(ctx, {
    attempt_id: edit_id,
    job: 'manifest.edit',
    find: () => manifestEdits.find(ctx.db, edit_id),
    unfinished: 'The commit is not made yet; read the list again in a moment',
  })
  await tryRefreshCatalogue(ctx, project)
  return { status: 'committed', commit_sha }
}
