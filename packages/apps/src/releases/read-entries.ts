import {
  type AppEntry,
  type AppPlatform,
  type ConfigIssue,
  type ReleaseFailure,
  resolveConfig,
  sourceFolder,
} from '@svc/app'
import type { BaseContext } from '@svc/context'
import { type Db, type ProjectRow, secrets } from '@svc/db'
import { readFile, type Repository, resolveBranch } from '@svc/git'
import type { App, ManifestReading } from '@svc/manifest'
import { openRepository, readingAt } from '@svc/services'
import { appLimits, platformRules } from '../context.ts'

export type Opening = Pick<BaseContext, 'repositories' | 'vault'> & { readonly signal: AbortSignal }

export interface EntriesAt {
  readonly repository: Repository
  /** Null for a repository without a commit. */
  readonly commit_sha: string | null
  readonly entries: readonly AppEntry[]
  /** The manifest's own errors, by the name of the app that they are about. */
  readonly broken: ReadonlyMap<string, readonly ConfigIssue[]>
}

/** The apps that the default branch declares now. */
export async function entriesAtTip(ctx: Opening, project: ProjectRow): Promise<EntriesAt> {
  const repository = await openRepository(ctx, project)
  const commit_sha = await resolveBranch(repository, project.default_branch)
  if (commit_sha === null) return { repository, commit_sha, entries: [], broken: new Map() }
  return { repository, commit_sha, ...(await entriesAt(repository, commit_sha)) }
}

/** The apps that a commit declares. An entry with an error is none, and is told of. */
export async function entriesAt(repository: Repository, commit_sha: string): Promise<DeclaredApps> {
  return declaredIn(await readingAt(repository, commit_sha))
}

export type DeclaredApps = Pick<EntriesAt, 'entries' | 'broken'>

export function declaredIn(reading: ManifestReading | null): DeclaredApps {
  const broken = new Map<string, ConfigIssue[]>()
  for (const { path, message, severity } of reading?.issues ?? []) {
    const name = /^apps\.([^.[]+)/.exec(path)?.[1]
    if (name === undefined || severity !== 'error') continue
    broken.set(name, [...(broken.get(name) ?? []), { path, message, severity }])
  }
  return { entries: (reading?.manifest?.apps ?? []).map(entryOf), broken }
}

/** An entry with each key that another type has. */
function entryOf(app: App): AppEntry {
  return { command: null, port: null, dockerfile: null, image: null, ...app }
}

/** The facts beside a manifest that decide what can be released. */
export interface EntryRules {
  readonly platform: AppPlatform
  readonly known_secrets: ReadonlySet<string>
}

export async function entryRules(db: Db, project_id: string): Promise<EntryRules> {
  const [platform, rows] = await Promise.all([platformRules(db), secrets.list(db, project_id)])
  return { platform, known_secrets: new Set(rows.map(({ name }) => name)) }
}

/** Whether a bundle has an `npm start`; null where only its build can say. */
export async function hasStart(
  repository: Repository,
  commit_sha: string,
  entry: AppEntry,
): Promise<boolean | null> {
  if (entry.type !== 'bundle' || entry.command !== null || entry.output_dir !== null) return null
  const folder = sourceFolder(entry) ?? ''
  const path = folder === '' ? 'package.json' : `${folder}/package.json`
  const file = await readFile(repository, { ref: commit_sha, path })
  if (file === null) return false
  try {
    const { scripts } = Object(JSON.parse(file.content.toString()))
    return typeof Object(scripts).start === 'string'
  } catch {
    return false
  }
}

/** The configuration of an entry, and everything that keeps it from being released here. */
export function judgeEntry(
  entry: AppEntry,
  { entries }: Pick<DeclaredApps, 'entries'>,
  { platform, known_secrets }: EntryRules,
  {
    has_start,
    preview_secrets = null,
  }: { readonly has_start: boolean | null; readonly preview_secrets?: readonly string[] | null },
) {
  const { config, issues } = resolveConfig(entry, platform, { known_secrets, has_start, preview_secrets })
  const over = entries.findIndex(({ name }) => name === entry.name) >= appLimits.apps
  const full: ConfigIssue = {
    path: `apps.${entry.name}`,
    message: `is beyond the ${appLimits.apps} apps that a project may have; remove another`,
    severity: 'error',
  }
  return { config, issues: over ? [...issues, full] : issues }
}

/** The end of a release that the manifest's issues decide; null where none is an error. */
export function configFailure(issues: readonly ConfigIssue[]): ReleaseFailure | null {
  const first = issues.find(({ severity }) => severity === 'error')
  if (first === undefined) return null
  return { step: 'queued', category: 'config', message: `${first.path}: ${first.message}`, retryable: false }
}

/** The cap of an entry in micro-dollars. */
export function budgetOf({ monthly_budget_usd }: Pick<AppEntry, 'monthly_budget_usd'>): number | null {
  return monthly_budget_usd === null ? null : Math.round(monthly_budget_usd * 1_000_000)
}
