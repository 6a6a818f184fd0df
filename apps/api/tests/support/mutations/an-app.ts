import { randomUUID } from 'node:crypto'
import { appReleases, apps, type Db, features } from '@svc/db'

interface Home {
  readonly account_id: string
  readonly project_id: string
  readonly user_id: string
}

/** Switches the apps of a project on, and makes one with a release; both by their names in paths. */
export async function makeApp(db: Db, { account_id, project_id, user_id }: Home) {
  const now = new Date()
  await features.set(db, { project_id, feature: 'apps', enabled: true, updated_by: user_id, updated_at: now })
  const [app_id, channel_id] = [randomUUID(), randomUUID()]
  await apps.insert(db, {
    ...{ app_id, account_id, project_id, name: 'site', type: 'static', declared: true },
    ...{ budget_micros: null, created_at: now },
  })
  await apps.addChannel(
    db,
    { channel_id, app_id, project_id, kind: 'production', cr_id: null, created_at: now },
    [`site--${app_id}`],
  )
  const config = { type: 'static', folder: 'site', spa: false, secrets: [], withheld_secrets: [] } as const
  const { number } = await appReleases.insert(db, {
    ...{ release_id: randomUUID(), app_id, project_id, channel_id, source: 'manual', config, issues: [] },
    ...{ commit_sha: 'a'.repeat(40), input_hash: 'x', failure: null, provider: 'files', created_by: user_id },
    ...{ idempotency_key: null, created_at: now },
  })
  return { app: 'site', number: String(number) }
}
