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
import {
  isAncestor,
  moveBranch,
  readFile,
  type Repository,
  resolveBranch,
  resolveCommit,
  writeCommit,
} from '@svc/git'
import { editManifest, type ManifestEdit, readManifest } from '@svc/manifest'
import { somebody } from '../audit/asker.ts'
import { recordAuditFor } from '../audit/record.ts'
import type { JobContext } from '../context.ts'
import { openRepository } from '../projects/repository.ts'
import { ofTriggers } from './audit.ts'

const rounds = 10
const path = 'svc.yaml'

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
      const { code, message, details } = error
      await ctx.db
        .transaction()
        .execute((tx) => end(ctx, tx, { edit, project }, { kind: 'refused', code, message, details }))
    }
  })
}

async function commitEdit(ctx: JobContext, project: ProjectRow, edit: ManifestEditRow): Promise<void> {
  let planned = edit.planned_sha
  for (let round = 0; round < rounds; round += 1) {
    const repository = await openRepository(ctx, project)
    const tip = await resolveBranch(repository, project.default_branch)
    if (tip === null)
      throw new ServiceError('conflict', 'The default branch has no commit yet; push svc.yaml first')
    if (planned !== null && (await contains(repository, tip, planned)))
      return finish(ctx, { edit, project }, planned, true)
    const text = await editedText(repository, tip, editOf(edit))
    if (text === null) return finish(ctx, { edit, project }, tip, false)
    planned = await writeCommit(repository, {
      parent_sha: tip,
      changes: [{ path, content: text }],
      message: messageOf(edit),
      committed_at: edit.created_at,
    })
    await manifestEdits.plan(ctx.db, edit.edit_id, planned)
    const move = await moveBranch(repository, {
      branch: project.default_branch,
      from_sha: tip,
      to_sha: planned,
    })
    if (move.kind === 'moved') return finish(ctx, { edit, project }, planned, true)
    if (move.kind === 'rejected') throw new ServiceError('repository_push_rejected', move.message)
  }
  throw new ServiceError('conflict', 'The default branch kept moving; try again')
}

async function contains(repository: Repository, tip: string, commit_sha: string): Promise<boolean> {
  try {
    await resolveCommit(repository, commit_sha)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'REF_NOT_FOUND') return false
    throw error
  }
  return tip === commit_sha || isAncestor(repository, commit_sha, tip)
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
  const slug = change.kind === 'add_trigger' ? slugOf(change) : change.slug
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

/** The edit was written from this very type by the verbs, and by nobody else. */
function editOf({ edit }: ManifestEditRow): ManifestEdit {
  return edit as unknown as ManifestEdit
}

/** The manifest after the edit; null when that changes nothing. Refuses an entry that could not be used. */
async function editedText(repository: Repository, tip: string, edit: ManifestEdit): Promise<string | null> {
  const file = await readFile(repository, { ref: tip, path })
  if (file === null) throw await noManifest(repository, tip)
  const before = file.content.toString('utf8')
  const text = editManifest(before, edit)
  if (text === before) return null
  if (edit.kind !== 'remove_trigger')
    refuseUnusable(text, edit.kind === 'add_trigger' ? slugOf(edit) : edit.slug)
  return text
}

async function noManifest(repository: Repository, tip: string): Promise<ServiceError> {
  const legacy = await readFile(repository, { ref: tip, path: 'svc.toml' })
  return legacy === null
    ? new ServiceError('conflict', 'There is no svc.yaml on the default branch; push one first')
    : new ServiceError(
        'conflict',
        'Triggers of svc.toml are edited by hand; svc manifest migrate turns it into svc.yaml',
      )
}

const slugOf = ({ trigger }: Extract<ManifestEdit, { kind: 'add_trigger' }>): string =>
  typeof trigger['slug'] === 'string' ? trigger['slug'] : ''

/** What is wrong elsewhere in the file stays as it is; the edited entry has to be right. */
function refuseUnusable(text: string, slug: string): void {
  const { manifest, triggers, issues } = readManifest({ path, text })
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (manifest === null)
    throw new ServiceError('MANIFEST_INVALID', 'svc.yaml cannot be used', { issues: errors })
  if (triggers.some((trigger) => trigger.slug === slug)) return
  const index = readIndex(text, slug)
  const own = errors
    .filter((issue) => issue.path === 'triggers' || issue.path.startsWith(`triggers[${index}]`))
    .map(({ path: at, message }) => ({ path: at.replace(/^triggers\[\d+\]\.?/, ''), message }))
  const [first] = own
  const said = first === undefined ? 'it could not be used' : `${first.path} ${first.message}`
  throw new ServiceError('invalid_request', `The trigger ${slug} is not valid: ${said}`, { issues: own })
}

function readIndex(text: string, slug: string): number {
  const { trigger_errors } = readManifest({ path, text })
  const at = trigger_errors.find((one) => one.slug === slug)?.path
  return Number(/^triggers\[(\d+)\]/.exec(at ?? '')?.[1] ?? -1)
}

function messageOf(row: ManifestEditRow): string {
  const edit = editOf(row)
  const by = `\n\nRequested-By: ${row.requested_by}\n`
  switch (edit.kind) {
    case 'add_trigger':
      return `Add the trigger ${slugOf(edit)}${by}`
    case 'change_trigger':
      return `Change the trigger ${edit.slug}${by}`
    case 'set_enabled':
      return `${edit.enabled ? 'Enable' : 'Disable'} the trigger ${edit.slug}${by}`
    case 'remove_trigger':
      return `Remove the trigger ${edit.slug}${by}`
  }
}
