import { secrets } from '@svc/db'
import type { Reading } from '../context.ts'
import { entriesAtTip } from '../releases/read-entries.ts'
import { type AppInput, requireApp } from './find-app.ts'
import { presentApp } from './present.ts'

/** Variables that each program gets from the platform. */
const platformNames = ['PORT', 'SVC_APP', 'SVC_APP_COMMIT', 'SVC_APP_URL', 'SVC_RELEASE']

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
    ...(entry === undefined || entry.type === 'static' ? [] : platformNames).map((name) => ({
      ...{ name, source: 'platform' as const, configured: true },
    })),
  ]
  const { instance } = await presentApp(ctx, app)
  return { env: env.sort((a, b) => a.name.localeCompare(b.name)), stale: instance?.stale ?? false }
}
