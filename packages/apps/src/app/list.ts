import { etagOf } from '@svc/context'
import { apps, triggerCatalogues } from '@svc/db'
import { platformRules, type Changing } from '../context.ts'
import { type AppInput, requireApp, requireApps } from './find-app.ts'
import { presentApp, presentApps } from './present.ts'

/** Every app that the default branch declares or declared, and what keeps its manifest from being read. */
export async function listApps(ctx: Changing, { project_id }: { readonly project_id: string }) {
  await requireApps(ctx, project_id, 'project.app.read')
  const [rows, catalogue] = await Promise.all([
    apps.list(ctx.db, project_id),
    triggerCatalogues.find(ctx.db, project_id),
  ])
  const { path = null, message = null } = catalogue?.manifest ?? {}
  const name = /^apps\.([^.]+)/.exec(path ?? '')?.[1]
  const errors = name === undefined || message === null ? [] : [{ name, path: path ?? '', message }]
  const { provider } = await platformRules(ctx.db)
  return { apps: await presentApps(ctx, rows), provider, errors }
}

export async function getApp(ctx: Changing, input: AppInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const shown = await presentApp(ctx, app)
  return { app: shown, etag: etagOf(shown) }
}
