import { secrets } from '@svc/db'
import type { Reading } from '../context.ts'
import { entriesAtTip } from '../releases/read-entries.ts'
import { type AppInput, requireApp } from './find-app.ts'

/** The variables of an app by name, and never by value. */
export async function readAppEnv(ctx: Reading, input: AppInput) {
  const { project, app } = await requireApp(ctx, input, 'project.app.read')
  const { entries } = await entriesAtTip(ctx, project)
  const entry = entries.find(({ name }) => name === app.name)
  const known = new Set((await secrets.list(ctx.db, project.project_id)).map(({ name }) => name))
  const env = [
    ...Object.keys(entry?.env ?? {}).map((name) => ({ name, source: 'env' as const, configured: true })),
    ...Object.entries(entry?.secrets ?? {}).map(([name, secret]) => ({
      ...{ name, source: 'secret' as const, secret },
      configured: known.has(secret),
    })),
  ]
  return { env: env.sort((a, b) => a.name.localeCompare(b.name)), stale: false }
}
