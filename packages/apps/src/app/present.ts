import { type AppState, type RunConfig, urlOf } from '@svc/app'
import {
  type AppArtifact,
  type AppChannelRow,
  appInstances,
  type AppInstanceRow,
  appReleases,
  type AppReleaseRow,
  type AppRow,
  apps,
  type Db,
  type ProjectSecretRow,
  secrets,
} from '@svc/db'
import { revisionOf } from '../instances/program-of.ts'
import { type AppBudget, budgetsOf } from '../meter/money.ts'
import type { Changing, Looking } from '../context.ts'

/** The address of a channel; null where the operator gave apps none. */
export function addressOf({ settings }: Pick<Looking, 'settings'>, { label }: Pick<AppChannelRow, 'label'>) {
  return settings.apps_url === undefined ? null : urlOf(settings.apps_url, label)
}

type Showing = Pick<Changing, 'db' | 'settings' | 'now'>

/** Apps as people see them, with the release that each shows and its newest one. */
export async function presentApps(ctx: Showing, rows: readonly AppRow[]) {
  const ids = rows.map(({ app_id }) => app_id)
  const [listed, channels] = await Promise.all([apps.viewers(ctx.db, ids), apps.channels(ctx.db, ids)])
  const production = channels.filter(({ kind }) => kind === 'production')
  const current = production.flatMap(({ current_release_id }) => current_release_id ?? [])
  const now_at = ctx.now()
  const [shown, instances, budgets, current_secrets] = await Promise.all([
    appReleases.listShown(ctx.db, ids, current),
    appInstances.newestOf(ctx.db, current),
    budgetsOf(ctx.db, rows, now_at),
    secretsOf(ctx.db, rows),
  ])
  return rows.map((row) => {
    const { app_id, project_id, account_id, name, type, declared, desired, access_mode } = row
    const channel = production.find((one) => one.app_id === app_id)
    const releases = shown.filter((one) => one.app_id === app_id)
    const now = releases.find(({ release_id }) => release_id === channel?.current_release_id)
    const [latest] = releases
      .filter((one) => one.channel_id === channel?.channel_id)
      .sort((a, b) => b.number - a.number)
    const instance = instances.find(({ release_id }) => release_id === channel?.current_release_id)
    const budget = budgets.get(app_id)
    const summaryOf = (release: AppReleaseRow | undefined) => (release ? summary(release) : null)
    return {
      ...{ app_id, project_id, account_id, name, type, declared, desired },
      state: stateOf(row, { current: now, latest, instance, budget }),
      url: channel === undefined ? null : addressOf(ctx, channel),
      access_mode,
      viewers: listed
        .filter((one) => one.app_id === app_id)
        .map(({ user_id, group_id }) => (user_id === null ? { group_id: group_id ?? '' } : { user_id })),
      policy_revision: row.policy_revision,
      max_concurrency: row.max_concurrency,
      preview_secrets: row.preview_secrets,
      current_release: summaryOf(now),
      latest_release: summaryOf(latest),
      instance:
        now?.config.run === undefined
          ? null
          : shownInstance(instance, now.config.run, current_secrets.get(row.project_id) ?? []),
      budget: budget === undefined || row.type === 'static' ? null : budget,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}

export async function presentApp(ctx: Showing, row: AppRow) {
  const [shown] = await presentApps(ctx, [row])
  if (shown === undefined) throw new Error('An app was given and none was shown')
  return shown
}

function summary({ release_id, number, status, commit_sha, created_by, created_at, failure }: AppReleaseRow) {
  return { release_id, number, status, commit_sha, created_by, created_at, failure }
}

/** Its instance while it lives; `stale` once what it was started with is written anew. */
function shownInstance(row: AppInstanceRow | undefined, run: RunConfig, known: readonly ProjectSecretRow[]) {
  if (row === undefined || !(row.state === 'starting' || row.state === 'healthy')) return null
  const { state, started_at, last_request_at, restarts, secrets_revision } = row
  const stale = secrets_revision !== null && secrets_revision !== revisionOf(run, known)
  return { state, started_at, last_request_at, restarts, stale }
}

async function secretsOf(db: Db, rows: readonly AppRow[]): Promise<Map<string, ProjectSecretRow[]>> {
  const ids = [...new Set(rows.map(({ project_id }) => project_id))]
  return new Map(await Promise.all(ids.map(async (id) => [id, await secrets.list(db, id)] as const)))
}

interface Facts {
  readonly current: AppReleaseRow | undefined
  readonly latest: AppReleaseRow | undefined
  /** The newest one of the current release. */
  readonly instance: AppInstanceRow | undefined
  readonly budget: AppBudget | undefined
}

function stateOf({ declared, desired }: AppRow, { current, latest, instance, budget }: Facts): AppState {
  if (!declared) return 'undeclared'
  if (desired === 'stopped') return 'stopped'
  if (current === undefined) return latest?.status === 'failed' ? 'failed' : 'unreleased'
  if (current.config.run === undefined) return 'serving'
  if (budget !== undefined && budget.spent_micros >= budget.cap_micros) return 'over_budget'
  if (instance?.state === 'failed') return 'failed'
  if (instance?.state === 'healthy') return 'serving'
  return instance?.state === 'starting' ? 'starting' : 'asleep'
}

function shownArtifact({ kind, digest, bytes, files }: AppArtifact) {
  return { kind, digest, bytes, files }
}

/** Variables are shown by name. */
function shownConfig({ env, ...config }: AppReleaseRow['config']) {
  return { ...config, ...(env && { env: Object.keys(env).sort() }) }
}

export type ShownRelease = Awaited<ReturnType<typeof presentReleases>>[number]

/** Releases of one app as people see them. */
export async function presentReleases(
  ctx: Pick<Looking, 'settings'> & { readonly db: Db },
  app: AppRow,
  rows: readonly AppReleaseRow[],
) {
  const channels = new Map(
    (await apps.channels(ctx.db, [app.app_id])).map((channel) => [channel.channel_id, channel]),
  )
  return rows.map((row) => {
    const channel = channels.get(row.channel_id)
    return {
      release_id: row.release_id,
      app_id: row.app_id,
      app: app.name,
      number: row.number,
      channel: channel?.kind ?? 'production',
      cr_id: channel?.cr_id ?? null,
      url: channel === undefined || channel.closed_at !== null ? null : addressOf(ctx, channel),
      status: row.status,
      source: row.source,
      commit_sha: row.commit_sha,
      config: shownConfig(row.config),
      secrets: row.config.secrets,
      withheld_secrets: row.config.withheld_secrets,
      provider: row.provider,
      artifact: row.artifact && shownArtifact(row.artifact),
      current: channel?.current_release_id === row.release_id && channel.closed_at === null,
      superseded_by: row.superseded_by,
      failure: row.failure,
      issues: row.issues,
      created_by: row.created_by,
      created_at: row.created_at,
      started_at: row.started_at,
      finished_at: row.finished_at,
    }
  })
}

export async function presentRelease(
  ctx: Pick<Looking, 'settings'> & { readonly db: Db },
  app: AppRow,
  row: AppReleaseRow,
): Promise<ShownRelease> {
  const [shown] = await presentReleases(ctx, app, [row])
  if (shown === undefined) throw new Error('A release was given and none was shown')
  return shown
}
