import type { ConfigIssue } from '@svc/app'
import { audited, requireActor, requireWritesOpen } from '@svc/context'
import {
  type AppChannelRow,
  appReleases,
  type AppReleaseRow,
  type AppRow,
  apps,
  changeRequests,
  type ProjectRow,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { isAncestor, resolveCommit } from '@svc/git'
import { checkIdempotencyKey, openRepository } from '@svc/services'
import { type AppInput, noSuchApp, ofApp, requireApps } from '../app/find-app.ts'
import { newApp } from '../app/new-app.ts'
import { presentRelease } from '../app/present.ts'
import { requireMoney } from '../meter/money.ts'
import { appLimits, type Reading } from '../context.ts'
import { asReviewed } from '../previews/as-reviewed.ts'
import { openPreview } from '../previews/open-preview.ts'
import { inputHash } from './input-hash.ts'
import { entriesAt, entryRules, hasStart, judgeEntry } from './read-entries.ts'

export interface ReleaseAppInput extends AppInput {
  readonly ref?: string | undefined
  readonly commit_sha?: string | undefined
  readonly cr_id?: string | undefined
  readonly idempotency_key?: string | undefined
}

/** Makes a release by hand: of a commit of the default branch, or of a change request as its preview. */
export async function releaseApp(ctx: Reading, input: ReleaseAppInput) {
  const { project_id, app: name, idempotency_key = null } = input
  if (idempotency_key !== null) checkIdempotencyKey(idempotency_key)
  const project = await requireApps(ctx, project_id, 'project.app.deploy')
  const created_by = requireActor(ctx)
  requireWritesOpen(ctx)
  const known = await apps.find(ctx.db, { project_id, name })
  if (known === undefined && input.cr_id === undefined) throw noSuchApp(name)
  const before =
    known && idempotency_key !== null
      ? await appReleases.findKey(ctx.db, known.app_id, idempotency_key)
      : undefined
  if (known && before) return { release: await presentRelease(ctx, known, before) }
  await requireRoom(ctx.db, project_id)
  const { repository, commit_sha, cr } = await targetOf(ctx, project, input)
  const read = await entriesAt(repository, commit_sha)
  const declared = read.entries.find((one) => one.name === name)
  if (declared === undefined) throw invalid(name, commit_sha, read.broken.get(name) ?? [])
  const entry = cr === null ? declared : await asReviewed(repository, project.default_branch, declared)
  const rules = await entryRules(ctx.db, project_id)
  const { config, issues } = judgeEntry(entry, read, rules, {
    has_start: await hasStart(repository, commit_sha, entry),
    preview_secrets: cr === null ? null : (known?.preview_secrets ?? []),
  })
  if (issues.some(({ severity }) => severity === 'error')) throw invalid(name, commit_sha, issues)
  if (config.run !== undefined && known !== undefined) await requireMoney(ctx, known)
  const input_hash = await inputHash({ repository, commit_sha, entries: read.entries }, entry)
  const place = { account_id: project.account_id, project_id, name }
  const made = await audited(ctx, ofApp('releaseApp', place, { commit_sha, cr_id: cr }), async (tx) => {
    await appReleases.lockAsking(tx, project_id)
    const app = known ?? (await newApp(ctx, tx, project, { ...entry, budget_micros: null }, false))
    // Two with one key at once make one release.
    await apps.lock(tx, app.app_id)
    const twin =
      idempotency_key === null ? undefined : await appReleases.findKey(tx, app.app_id, idempotency_key)
    if (twin !== undefined) return { app, row: twin }
    await requireRoom(tx, project_id)
    const channel = await (cr === null ? production(tx, app) : openPreview(ctx, tx, project, app, cr))
    const row = await appReleases.insert(tx, {
      ...{ release_id: ctx.newId(), app_id: app.app_id, project_id, channel_id: channel.channel_id },
      ...{ source: cr === null ? 'manual' : 'preview', commit_sha, config, input_hash, issues },
      ...{
        failure: null,
        provider: rules.platform.provider.name,
        created_by,
        idempotency_key,
        created_at: ctx.now(),
      },
    })
    await apps.record(tx, app, 'app.release.queued', factsOf(row), ctx.now())
    return { app, row }
  })
  await ctx.enqueue('app', 'app.release', { release_id: made.row.release_id })
  return { release: await presentRelease(ctx, made.app, made.row) }
}

/** Asked before the repository is read, and again where no other caller asks. */
async function requireRoom(db: Reading['db'], project_id: string): Promise<void> {
  if ((await appReleases.countOpen(db, project_id)) < appLimits.openReleases) return
  throw new ServiceError(
    'app_release_limit',
    `${appLimits.openReleases} releases of this project are under way; wait for one, or cancel it`,
    { retry_after: 10 },
  )
}

async function targetOf(ctx: Reading, project: ProjectRow, input: ReleaseAppInput) {
  const { ref, commit_sha, cr_id = null } = input
  const { project_id, default_branch } = project
  const repository = await openRepository(ctx, project)
  if (cr_id !== null) {
    const row = await changeRequests.find(ctx.db, { project_id, cr: cr_id })
    if (row === undefined)
      throw new ServiceError('not_found', 'There is no such change request; list those of the project')
    if (row.status !== 'open')
      throw new ServiceError(
        'CR_NOT_OPEN',
        `The change request is ${row.status}, and has no preview any more; open another one for the branch`,
      )
    return { repository, cr: row.cr_id, commit_sha: await resolveCommit(repository, row.head_ref) }
  }
  const tip = await resolveCommit(repository, default_branch)
  const wanted = commit_sha ?? ref
  const commit = wanted === undefined ? tip : await resolveCommit(repository, wanted)
  if (!(await isAncestor(repository, commit, tip)))
    throw new ServiceError(
      'app_commit_not_merged',
      `${commit.slice(0, 12)} is not on ${default_branch}; merge it first, or look at it as the preview of its change request: svc apps release ${input.app} --cr <number>`,
      { commit_sha: commit },
    )
  return { repository, cr: null, commit_sha: commit }
}

async function production(db: Reading['db'], { app_id }: AppRow): Promise<AppChannelRow> {
  const channel = await apps.findChannel(db, { app_id, kind: 'production', cr_id: null })
  if (channel === undefined) throw new Error('An app has no address')
  return channel
}

function invalid(name: string, commit_sha: string, issues: readonly ConfigIssue[]): ServiceError {
  const all =
    issues.length > 0
      ? issues
      : [
          {
            path: `apps.${name}`,
            message: `is not declared at ${commit_sha.slice(0, 12)}`,
            severity: 'error' as const,
          },
        ]
  const [first] = all
  return new ServiceError('app_config_invalid', `${first?.path ?? name}: ${first?.message ?? ''}`, {
    issues: all,
  })
}

/** Facts of a release that events tell. */
export function factsOf({ release_id, number, commit_sha, source }: AppReleaseRow) {
  return { release_id, number, commit_sha, source }
}
