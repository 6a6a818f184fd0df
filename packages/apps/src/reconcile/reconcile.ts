import { createHash } from 'node:crypto'
import type { AppEntry, ConfigIssue } from '@svc/app'
import { recordAuditFor } from '@svc/context'
import {
  appReleases,
  type AppReleaseRow,
  type AppRow,
  apps,
  type Db,
  owedApps,
  type ProjectRow,
  projects,
  withLock,
} from '@svc/db'
import { canonicalJson } from '@svc/facts'
import { appsAreOn } from '../app/apps-are-on.ts'
import { ofApp } from '../app/find-app.ts'
import { newApp } from '../app/new-app.ts'
import type { Working } from '../context.ts'
import { factsOf } from '../releases/create.ts'
import { inputHash } from '../releases/input-hash.ts'
import {
  budgetOf,
  configFailure,
  entriesAtTip,
  type EntriesAt,
  entryRules,
  type EntryRules,
  hasStart,
  judgeEntry,
} from '../releases/read-entries.ts'

/** Brings the apps of a project in line with the tip of its default branch: what changed is released. */
export async function reconcileApps(
  ctx: Working,
  { project_id }: { readonly project_id: string },
): Promise<void> {
  await withLock(ctx.locks, `apps:${project_id}`, async () => {
    const project = await projects.find(ctx.db, project_id)
    if (project?.status !== 'active') return
    if (!(await appsAreOn(ctx.db, project_id))) return
    const read = await entriesAtTip(ctx, project)
    const { commit_sha } = read
    if (commit_sha === null || commit_sha === (await owedApps.readAt(ctx.db, project_id))) return
    const rules = await entryRules(ctx.db, project_id)
    const wishes = await wishesAt(read, commit_sha, rules)
    const merged_by = await owedApps.mergerOf(ctx.db, project_id, commit_sha)
    const released = await ctx.db.transaction().execute(async (tx) => {
      const rows = await write(
        { ctx, tx, project, commit_sha, merged_by, provider: rules.platform.provider.name },
        wishes,
        read.broken,
      )
      await owedApps.setRead(tx, project_id, commit_sha)
      return rows
    })
    for (const { release_id } of released) await ctx.enqueue('app', 'app.release', { release_id })
  })
}

/** An entry as it is to be released. */
interface Wish {
  readonly entry: AppEntry
  readonly input_hash: string
  readonly judged: ReturnType<typeof judgeEntry>
}

async function wishesAt(read: EntriesAt, commit_sha: string, rules: EntryRules): Promise<Wish[]> {
  const entries = read.entries.filter(({ name }) => !read.broken.has(name))
  return Promise.all(
    entries.map(async (entry) => {
      const has_start = await hasStart(read.repository, commit_sha, entry)
      return {
        entry,
        judged: judgeEntry(entry, read, rules, { has_start }),
        input_hash: await inputHash({ ...read, commit_sha }, entry),
      }
    }),
  )
}

interface Writing {
  readonly ctx: Working
  readonly tx: Db
  readonly project: ProjectRow
  readonly commit_sha: string
  readonly merged_by: string | null
  /** The name of what makes and runs apps here. */
  readonly provider: string
}

/** Writes what a commit asks for; the releases that are to be made. */
async function write(
  writing: Writing,
  wishes: readonly Wish[],
  broken: EntriesAt['broken'],
): Promise<AppReleaseRow[]> {
  const { tx, project } = writing
  const known = await apps.list(tx, project.project_id)
  const released: AppReleaseRow[] = []
  for (const wish of wishes) {
    const row = known.find(({ name }) => name === wish.entry.name)
    const release = await declare(writing, row, wish)
    if (release?.status === 'queued') released.push(release)
  }
  for (const [name, issues] of broken) {
    const row = known.find((one) => one.name === name)
    if (row?.declared) await failUnread(writing, row, issues)
  }
  const wanted = new Set([...wishes.map(({ entry }) => entry.name), ...broken.keys()])
  for (const row of known.filter(({ name, declared }) => declared && !wanted.has(name)))
    await undeclare(writing, row)
  return released
}

/** Undefined when the release that was asked for last is of the same things. */
async function declare(
  writing: Writing,
  row: AppRow | undefined,
  wish: Wish,
): Promise<AppReleaseRow | undefined> {
  const { ctx, tx, project, commit_sha } = writing
  const { entry, input_hash, judged } = wish
  const now = ctx.now()
  const budget_micros = budgetOf(entry)
  const app = row ?? (await newApp(ctx, tx, project, { ...entry, budget_micros }, true))
  if (row === undefined) await apps.record(tx, app, 'app.declared', { commit_sha }, now)
  if (
    row !== undefined &&
    (!row.declared || row.type !== entry.type || row.budget_micros !== budget_micros)
  ) {
    await apps.setDeclared(tx, app.app_id, true, { type: entry.type, budget_micros }, now)
    if (!row.declared) await apps.record(tx, app, 'app.declared', { commit_sha }, now)
  }
  const { channel_id } =
    (await apps.findChannel(tx, { app_id: app.app_id, kind: 'production', cr_id: null })) ?? {}
  if (channel_id === undefined) throw new Error('An app has no address')
  const newest = await appReleases.newestAsked(tx, channel_id)
  if (newest?.input_hash === input_hash) return undefined
  // A branch that was set back, or whose release was cancelled, asks for what one of its merges made before.
  const again = await appReleases.wasMerged(tx, { channel_id, commit_sha, input_hash })
  return addRelease(writing, app, {
    ...{ channel_id, source: again ? 'manual' : 'merge', config: judged.config, input_hash },
    ...{ issues: judged.issues, failure: configFailure(judged.issues) },
  })
}

/** An app whose entry cannot be read shows what it showed, and says why it shows nothing later. */
async function failUnread(writing: Writing, app: AppRow, issues: readonly ConfigIssue[]): Promise<void> {
  const { tx, commit_sha } = writing
  const channel = await apps.findChannel(tx, { app_id: app.app_id, kind: 'production', cr_id: null })
  const newest = channel && (await appReleases.newestAsked(tx, channel.channel_id))
  if (newest === undefined) return
  const input_hash = createHash('sha256').update(canonicalJson(issues)).digest('hex')
  if (newest.input_hash === input_hash) return
  const { channel_id, config } = newest
  const again = await appReleases.wasMerged(tx, { channel_id, commit_sha, input_hash })
  await addRelease(writing, app, {
    ...{ channel_id, source: again ? 'manual' : 'merge', config, input_hash, issues },
    failure: configFailure(issues),
  })
}

type Asked = Pick<
  Parameters<typeof appReleases.insert>[1],
  'channel_id' | 'source' | 'config' | 'input_hash' | 'issues' | 'failure'
>

/** Writes down the release that a commit asks for, and who merged it. */
async function addRelease(
  { ctx, tx, project, commit_sha, merged_by, provider }: Writing,
  app: AppRow,
  asked: Asked,
): Promise<AppReleaseRow> {
  const now = ctx.now()
  const release = await appReleases.insert(tx, {
    ...{ release_id: ctx.newId(), app_id: app.app_id, project_id: project.project_id, commit_sha, provider },
    ...asked,
    ...{ created_by: merged_by, idempotency_key: null, created_at: now },
  })
  const type = release.status === 'failed' ? 'app.release.failed' : 'app.release.queued'
  await apps.record(tx, app, type, { ...factsOf(release), failure: release.failure }, now)
  const asker = {
    actor: { type: 'system', id: 'apps', on_behalf_of: merged_by },
    ...{ session_id: null, request_id: null, ip: null },
  } as const
  await recordAuditFor(ctx, tx, asker, ofApp('releaseApp', app, { number: release.number, commit_sha }))
  return release
}

async function undeclare({ ctx, tx, commit_sha }: Writing, app: AppRow): Promise<void> {
  await apps.setDeclared(tx, app.app_id, false, app, ctx.now())
  await apps.record(tx, app, 'app.undeclared', { commit_sha }, ctx.now())
}
