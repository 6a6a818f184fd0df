import { labelsOf } from '@svc/app'
import { type AppChannelRow, type AppRow, apps, changeRequests, type Db, type ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { appLimits, type Changing } from '../context.ts'

/** The address of an app as an open change request would have it; it is made with the first release. */
export async function openPreview(
  ctx: Pick<Changing, 'now' | 'newId'>,
  tx: Db,
  project: Pick<ProjectRow, 'project_id' | 'slug'>,
  app: AppRow,
  cr_id: string,
): Promise<AppChannelRow> {
  const known = await apps.findChannel(tx, { app_id: app.app_id, kind: 'preview', cr_id })
  if (known !== undefined) return known
  // Two who ask at once make one.
  await apps.lock(tx, app.app_id)
  const again = await apps.findChannel(tx, { app_id: app.app_id, kind: 'preview', cr_id })
  if (again !== undefined) return again
  const open = await apps.countPreviews(tx, project.project_id)
  if (open >= appLimits.openPreviews)
    throw new ServiceError(
      'app_release_limit',
      `${appLimits.openPreviews} previews of this project are open; remove one that has become idle`,
    )
  const row = await changeRequests.find(tx, { project_id: project.project_id, cr: cr_id })
  const channel_id = ctx.newId()
  const labels = labelsOf({
    ...{ app: app.name, project_slug: project.slug, cr_number: row?.number ?? 0, id: channel_id },
  })
  const channel = await apps.addChannel(
    tx,
    {
      ...{ channel_id, app_id: app.app_id, project_id: app.project_id },
      ...{ kind: 'preview', cr_id, created_at: ctx.now() },
    },
    labels,
  )
  await apps.record(tx, app, 'app.preview.opened', { cr_id }, ctx.now())
  return channel
}
