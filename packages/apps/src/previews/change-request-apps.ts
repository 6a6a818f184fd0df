import { audited, hasFeature, requireProject } from '@svc/context'
import { appReleases, apps, changeRequests } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { resolveCommit } from '@svc/git'
import { openRepository } from '@svc/services'
import { type AppInput, ofApp, requireApp } from '../app/find-app.ts'
import { addressOf, presentRelease } from '../app/present.ts'
import { type Changing, platformRules, type Reading } from '../context.ts'
import { judgeApps } from '../releases/judge-apps.ts'

export interface ChangeRequestAppsInput {
  readonly project_id: string
  readonly cr_id: string
}

/** The apps that merging a change request would deploy, and the preview of each: none where the project may deploy none. */
export async function listChangeRequestApps(ctx: Reading, input: ChangeRequestAppsInput) {
  const project = await requireProject(ctx, input.project_id, 'project.app.read')
  const cr = await requireRow(ctx, input)
  const { provider } = await platformRules(ctx.db)
  if (!(await hasFeature(ctx, input.project_id, 'apps'))) return { provider, apps: [] }
  const repository = await openRepository(ctx, project)
  const commit_sha = await resolveCommit(
    repository,
    cr.status === 'open' ? cr.head_ref : (cr.head_commit_sha ?? cr.head_ref),
  )
  const judged = await judgeApps(ctx, project, repository, commit_sha)
  const rows = await apps.list(ctx.db, project.project_id)
  const channels = await apps.channels(
    ctx.db,
    rows.map(({ app_id }) => app_id),
  )
  const list = judged.map(async (one) => {
    const app = rows.find(({ name }) => name === one.name)
    const channel = channels.find(
      ({ app_id, cr_id, closed_at }) => app_id === app?.app_id && cr_id === cr.cr_id && closed_at === null,
    )
    if (app === undefined || channel === undefined || cr.status !== 'open') return { ...one, preview: null }
    const release = await appReleases.newest(ctx.db, channel.channel_id)
    const shown = release === undefined ? null : await presentRelease(ctx, app, release)
    return { ...one, preview: { url: addressOf(ctx, channel), release: shown } }
  })
  return { provider, apps: await Promise.all(list) }
}

async function requireRow(ctx: Pick<Reading, 'db'>, { project_id, cr_id }: ChangeRequestAppsInput) {
  const row = await changeRequests.find(ctx.db, { project_id, cr: cr_id })
  if (row === undefined)
    throw new ServiceError('not_found', 'There is no such change request; list those of the project')
  return row
}

/** Takes the preview of a change request away; done already is done. */
export async function removeAppPreview(
  ctx: Changing,
  input: AppInput & ChangeRequestAppsInput,
): Promise<void> {
  await requireProject(ctx, input.project_id, 'project.app.deploy')
  const { cr_id } = await requireRow(ctx, input)
  const { app } = await requireApp(ctx, input, 'project.app.deploy')
  const channel = await apps.findChannel(ctx.db, { app_id: app.app_id, kind: 'preview', cr_id })
  if (channel === undefined) return
  await audited(ctx, ofApp('removeAppPreview', app, { cr_id }), async (tx) => {
    if (!(await apps.closeChannel(tx, channel.channel_id, ctx.now()))) return undefined
    await apps.record(tx, app, 'app.preview.closed', { cr_id }, ctx.now())
    return null
  })
}
