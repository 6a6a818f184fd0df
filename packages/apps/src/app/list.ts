import type { ConfigIssue } from '@svc/app'
import { etagOf } from '@svc/context'
import { apps, triggerCatalogues } from '@svc/db'
import { platformRules, type Changing, type Reading } from '../context.ts'
import { type AppInput, requireApp, requireApps } from './find-app.ts'
import { entriesAtTip } from '../releases/read-entries.ts'
import { presentApp, presentApps } from './present.ts'

/** Every app that the default branch declares or declared, and what keeps its manifest from being read. */
export async function listApps(ctx: Reading, { project_id }: { readonly project_id: string }) {
  const project = await requireApps(ctx, project_id, 'project.app.read')
  const [rows, catalogue] = await Promise.all([
    apps.list(ctx.db, project_id),
    triggerCatalogues.find(ctx.db, project_id),
  ])
  const is_broken = (catalogue?.manifest?.message ?? null) !== null
  const { broken } = is_broken
    ? await entriesAtTip(ctx, project)
    : { broken: new Map<string, ConfigIssue[]>() }
  const errors = [...broken].flatMap(([name, issues]) =>
    issues.map(({ path, message }) => ({ name, path, message })),
  )
  const { provider } = await platformRules(ctx.db)
  return { apps: await presentApps(ctx, rows), provider, errors }
}

export async function getApp(ctx: Changing, input: AppInput) {
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const shown = await presentApp(ctx, app)
  return { app: shown, etag: etagOf(shown) }
}
