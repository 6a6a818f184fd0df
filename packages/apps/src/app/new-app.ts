import { labelsOf } from '@svc/app'
import { type AppRow, apps, type Db, type ProjectRow } from '@svc/db'
import type { Changing } from '../context.ts'

/** An app that the project never had, with an address of its own. A preview may come before the merge that declares it. */
export async function newApp(
  ctx: Pick<Changing, 'now' | 'newId'>,
  tx: Db,
  project: Pick<ProjectRow, 'account_id' | 'project_id' | 'slug'>,
  { name, type, budget_micros }: Pick<AppRow, 'name' | 'type' | 'budget_micros'>,
  declared: boolean,
): Promise<AppRow> {
  const { account_id, project_id, slug: project_slug } = project
  const created_at = ctx.now()
  const app_id = ctx.newId()
  const app = await apps.insert(tx, {
    app_id,
    account_id,
    project_id,
    name,
    type,
    declared,
    budget_micros,
    created_at,
  })
  if (app === undefined) return madeMeanwhile(await apps.find(tx, { project_id, name }))
  await apps.addChannel(
    tx,
    { channel_id: ctx.newId(), app_id, project_id, kind: 'production', cr_id: null, created_at },
    labelsOf({ app: name, project_slug, cr_number: null, id: app_id }),
  )
  return app
}

/** Two who ask at once make one app: the insert of the second waited for the commit of the first. */
function madeMeanwhile(app: AppRow | undefined): AppRow {
  if (app === undefined) throw new Error('An app was there, and is not')
  return app
}
