import { appReleases, type AppReleaseRow, apps, owedApps, projects } from '@svc/db'
import { eachOf, ServiceError } from '@svc/errors'
import { resolveBranch } from '@svc/git'
import { openRepository } from '@svc/services'
import type { Working } from '../context.ts'
import { factsOf } from '../releases/create.ts'
import { inputHash } from '../releases/input-hash.ts'
import { configFailure, entriesAt, entryRules, hasStart, judgeEntry } from '../releases/read-entries.ts'
import { cancel } from '../releases/switch-to.ts'
import { asReviewed } from './as-reviewed.ts'

const atOnce = 500

type Preview = Awaited<ReturnType<typeof owedApps.listPreviews>>[number]

/** Previews show the head of their change request, and are closed with it; how many were changed. */
export async function followPreviews(ctx: Working): Promise<number> {
  let changed = 0
  await eachOf(await owedApps.listPreviews(ctx.db, atOnce), async (preview) => {
    if (preview.cr_status !== 'open') changed += await close(ctx, preview)
    else changed += await follow(ctx, preview).catch(leftForLater)
  })
  return changed
}

/** A repository that cannot be reached is asked again at the next look. */
function leftForLater(error: unknown): number {
  if (error instanceof ServiceError) return 0
  throw error
}

async function close(ctx: Working, { channel_id, app_id, cr_id }: Preview): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const app = await apps.findById(tx, app_id)
    if (app === undefined || !(await apps.closeChannel(tx, channel_id, ctx.now()))) return 0
    for (const release of await appReleases.listOpenBefore(tx, channel_id, app.last_number + 1))
      await cancel(ctx, tx, app, release)
    await apps.record(tx, app, 'app.preview.closed', { cr_id }, ctx.now())
    return 1
  })
}

async function follow(ctx: Working, preview: Preview): Promise<number> {
  const newest = await appReleases.newest(ctx.db, preview.channel_id)
  const project = await projects.find(ctx.db, preview.project_id)
  if (project === undefined || newest === undefined) return 0
  // Another host tells of its branches when people look at the change request.
  if (preview.project_kind !== 'managed' && preview.head_commit_sha === newest.commit_sha) return 0
  const repository = await openRepository(ctx, project)
  const commit_sha = await resolveBranch(repository, preview.head_ref)
  if (commit_sha === null || commit_sha === newest.commit_sha) return 0
  const app = await apps.findById(ctx.db, preview.app_id)
  const read = await entriesAt(repository, commit_sha)
  const proposed = read.entries.find(({ name }) => name === app?.name)
  if (app === undefined || proposed === undefined) return 0
  const entry = await asReviewed(repository, project.default_branch, proposed)
  const rules = await entryRules(ctx.db, app.project_id)
  const { config, issues } = judgeEntry(entry, read, rules, {
    has_start: await hasStart(repository, commit_sha, entry),
    preview_secrets: app.preview_secrets,
  })
  const failure = configFailure(issues)
  const input_hash = await inputHash({ repository, commit_sha, entries: read.entries }, entry)
  const row = await ctx.db.transaction().execute(async (tx): Promise<AppReleaseRow> => {
    const row = await appReleases.insert(tx, {
      ...{ release_id: ctx.newId(), app_id: app.app_id, project_id: app.project_id },
      ...{ channel_id: preview.channel_id, source: 'preview', commit_sha, config, input_hash, issues },
      failure,
      ...{
        provider: rules.platform.provider.name,
        created_by: newest.created_by,
        idempotency_key: null,
        created_at: ctx.now(),
      },
    })
    for (const older of await appReleases.listOpenBefore(tx, preview.channel_id, row.number))
      await cancel(ctx, tx, app, older)
    await apps.record(tx, app, failure ? 'app.release.failed' : 'app.release.queued', factsOf(row), ctx.now())
    return row
  })
  if (row.status === 'queued') await ctx.enqueue('app', 'app.release', { release_id: row.release_id })
  return 1
}
