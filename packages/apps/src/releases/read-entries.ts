import { createHash } from 'node:crypto'
import { type AppEntry, type ConfigIssue, type ReleaseFailure, resolveConfig } from '@svc/app'
import type { BaseContext } from '@svc/context'
import type { ProjectRow } from '@svc/db'
import { canonicalJson } from '@svc/facts'
import { objectSha, type Repository, resolveBranch } from '@svc/git'
import type { ManifestReading } from '@svc/manifest'
import { openRepository, readingAt } from '@svc/services'
import { appLimits, appProvider } from '../context.ts'

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
  return { entries: reading?.manifest?.apps ?? [], broken }
}

/** The configuration of an entry, and everything that keeps it from being released here. */
export function judgeEntry(
  entry: AppEntry,
  { entries }: Pick<DeclaredApps, 'entries'>,
  preview_secrets: readonly string[] | null = null,
) {
  const { config, issues } = resolveConfig(entry, appProvider, preview_secrets)
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

/** Changes with everything in the repository that a release of the entry is made of. */
export async function inputHash(
  repository: Repository,
  commit_sha: string,
  entry: AppEntry,
  folder: string,
): Promise<string> {
  const tree = await objectSha(repository, commit_sha, folder)
  return createHash('sha256').update(canonicalJson({ entry, tree })).digest('hex')
}
