import { ServiceError } from '@svc/errors'
import { readFile, type Repository, writeCommit } from '@svc/git'
import { declareSecret, editManifest, type Issue, type ManifestEdit, readManifest } from '@svc/manifest'

const path = 'svc.yaml'

export interface AskedChange {
  readonly edit: ManifestEdit
  /** The person in whose name it is asked for. */
  readonly requested_by: string
  readonly committed_at: Date
}

export interface WrittenEdit {
  /** The commit of the default branch that the edit was made on. */
  readonly tip: string
  /** Null when the edit changes nothing. */
  readonly commit_sha: string | null
}

/** Writes the commit of an edit of the manifest on top of the default branch's tip. No branch moves. */
export async function writeEdit(
  repository: Repository,
  tip: string | null,
  { edit, requested_by, committed_at }: AskedChange,
): Promise<WrittenEdit> {
  if (tip === null)
    throw new ServiceError('conflict', 'The default branch has no commit yet; push svc.yaml first')
  const content = await editedText(repository, tip, edit)
  if (content === null) return { tip, commit_sha: null }
  const message = `${titleOf(edit)}\n\nRequested-By: ${requested_by}\n`
  const changes = [{ path, content }]
  return {
    tip,
    commit_sha: await writeCommit(repository, { parent_sha: tip, changes, message, committed_at }),
  }
}

/** The entry that an edit is about. */
export function slugOf(edit: ManifestEdit): string {
  if ('slug' in edit) return edit.slug
  const { slug } = edit.kind === 'add_trigger' ? edit.trigger : edit.connector
  return typeof slug === 'string' ? slug : ''
}

export function nounOf({ kind }: ManifestEdit): 'trigger' | 'connector' {
  return kind === 'add_connector' || kind === 'remove_connector' ? 'connector' : 'trigger'
}

/** The title of an edit, in a line. */
export function titleOf(edit: ManifestEdit): string {
  const slug = slugOf(edit)
  switch (edit.kind) {
    case 'add_trigger':
    case 'add_connector':
      return `Add the ${nounOf(edit)} ${slug}`
    case 'change_trigger':
      return `Change the trigger ${slug}`
    case 'set_enabled':
      return `${edit.enabled ? 'Enable' : 'Disable'} the trigger ${slug}`
    case 'remove_trigger':
    case 'remove_connector':
      return `Remove the ${nounOf(edit)} ${slug}`
  }
}

/** The manifest after the edit; null when that changes nothing. Refuses an entry that could not be used. */
async function editedText(repository: Repository, tip: string, edit: ManifestEdit): Promise<string | null> {
  const file = await readFile(repository, { ref: tip, path })
  if (file === null) throw await noManifest(repository, tip)
  const before = file.content.toString('utf8')
  const text = declared(editManifest(before, edit), edit)
  if (text === before) return null
  if (edit.kind === 'add_connector') refuseWrong(before, text, slugOf(edit))
  else if (edit.kind !== 'remove_trigger' && edit.kind !== 'remove_connector')
    refuseUnusable(text, slugOf(edit))
  return text
}

/** The secret that a webhook proves is declared with it, so that the edit leaves no warning behind. */
function declared(text: string, edit: ManifestEdit): string {
  const fields =
    edit.kind === 'add_trigger' ? edit.trigger : edit.kind === 'change_trigger' ? edit.changes : {}
  const { secret_env } = fields
  return typeof secret_env === 'string' ? declareSecret(text, secret_env) : text
}

async function noManifest(repository: Repository, tip: string): Promise<ServiceError> {
  const legacy = await readFile(repository, { ref: tip, path: 'svc.toml' })
  return legacy === null
    ? new ServiceError('conflict', 'There is no svc.yaml on the default branch; push one first')
    : new ServiceError('conflict', 'svc.toml is edited by hand; svc manifest migrate turns it into svc.yaml')
}

/** Refuses an edited entry that is not valid; what is wrong elsewhere in the file stays as it is. */
function refuseUnusable(text: string, slug: string): void {
  const { manifest, triggers, issues } = readManifest({ path, text })
  if (manifest === null) throw invalidManifest(issues)
  if (triggers.some((trigger) => trigger.slug === slug)) return
  const index = readIndex(text, slug)
  const own = errorsIn(issues)
    .filter((issue) => issue.path === 'triggers' || issue.path.startsWith(`triggers[${index}]`))
    .map(({ path: at, message }) => ({ path: at.replace(/^triggers\[\d+\]\.?/, ''), message }))
  const [first] = own
  const said = first === undefined ? 'it could not be used' : `${first.path}: ${first.message}`
  throw new ServiceError('invalid_request', `The trigger ${slug} is not valid: ${said}`, { issues: own })
}

/** Refuses a connector that is not valid: what is wrong in the file since it is there. */
function refuseWrong(before: string, after: string, slug: string): void {
  const { manifest, issues } = readManifest({ path, text: after })
  if (manifest === null) throw invalidManifest(issues)
  const standing = errorsIn(readManifest({ path, text: before }).issues)
  const own = errorsIn(issues)
    .filter((issue) => !standing.some((one) => one.path === issue.path && one.message === issue.message))
    .map(({ path: at, message }) => ({ path: at.replace(/^connectors\[\d+\]\.?/, ''), message }))
  const [first] = own
  if (first === undefined) return
  throw new ServiceError(
    'invalid_request',
    `The connector ${slug} is not valid: ${first.path}: ${first.message}`,
    { issues: own },
  )
}

const errorsIn = (issues: readonly Issue[]) => issues.filter(({ severity }) => severity === 'error')

const invalidManifest = (issues: readonly Issue[]) =>
  new ServiceError('MANIFEST_INVALID', 'svc.yaml on the default branch is not valid; mend the issues first', {
    issues: errorsIn(issues),
  })

function readIndex(text: string, slug: string): number {
  const { trigger_errors } = readManifest({ path, text })
  const at = trigger_errors.find((one) => one.slug === slug)?.path
  return Number(/^triggers\[(\d+)\]/.exec(at ?? '')?.[1] ?? -1)
}
