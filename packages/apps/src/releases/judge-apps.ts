import type { ConfigIssue } from '@svc/app'
import { apps, appReleases, type Db, type ProjectRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type Repository, resolveCommit } from '@svc/git'
import { manifestLimits, readManifest } from '@svc/manifest'
import { openRepository } from '@svc/services'
import { requireApps } from '../app/find-app.ts'
import { platformRules, type Reading } from '../context.ts'
import { inputHash } from './input-hash.ts'
import {
  type DeclaredApps,
  declaredIn,
  entriesAt,
  type EntriesAt,
  entryRules,
  hasStart,
  judgeEntry,
} from './read-entries.ts'

export interface JudgedApp {
  readonly name: string
  /** The effect of a merge on it. */
  readonly action: 'create' | 'release' | 'unchanged' | 'remove'
  readonly deployable: boolean
  readonly issues: readonly ConfigIssue[]
}

/** The apps of a commit, and of the rows, as a merge would leave them. */
export async function judgeApps(
  ctx: { readonly db: Db },
  project: Pick<ProjectRow, 'project_id'>,
  repository: Repository,
  commit_sha: string,
): Promise<JudgedApp[]> {
  const read = await entriesAt(repository, commit_sha)
  return judge(ctx, project, read, {
    hash: (entry) => inputHash({ repository, commit_sha, entries: read.entries }, entry),
    hasStart: (entry) => hasStart(repository, commit_sha, entry),
  })
}

interface Contents {
  hash(entry: EntriesAt['entries'][number]): Promise<string>
  hasStart(entry: EntriesAt['entries'][number]): Promise<boolean | null>
}

async function judge(
  ctx: { readonly db: Db },
  { project_id }: Pick<ProjectRow, 'project_id'>,
  read: DeclaredApps,
  contents: Contents | null,
): Promise<JudgedApp[]> {
  const rows = await apps.list(ctx.db, project_id)
  const rules = await entryRules(ctx.db, project_id)
  const declared = read.entries.map(async (entry): Promise<JudgedApp> => {
    const row = rows.find(({ name }) => name === entry.name)
    const has_start = contents === null ? null : await contents.hasStart(entry)
    const { issues } = judgeEntry(entry, read, rules, { has_start })
    const deployable = !issues.some(({ severity }) => severity === 'error')
    const channel =
      row && (await apps.findChannel(ctx.db, { app_id: row.app_id, kind: 'production', cr_id: null }))
    const newest = channel && (await appReleases.newestAsked(ctx.db, channel.channel_id))
    const same =
      contents !== null && newest !== undefined && newest.input_hash === (await contents.hash(entry))
    const action = row === undefined || !row.declared ? 'create' : same ? 'unchanged' : 'release'
    return { name: entry.name, action, deployable, issues }
  })
  const names = new Set([...read.entries.map(({ name }) => name), ...read.broken.keys()])
  const broken = [...read.broken].map(([name, issues]): JudgedApp => {
    const action = rows.some((row) => row.name === name && row.declared) ? 'release' : 'create'
    return { name, action, deployable: false, issues }
  })
  const gone = rows
    .filter((row) => row.declared && !names.has(row.name))
    .map(({ name }): JudgedApp => ({ name, action: 'remove', deployable: true, issues: [] }))
  const entries = (await Promise.all(declared)).filter(({ name }) => !read.broken.has(name))
  return [...entries, ...broken, ...gone].sort((a, b) => a.name.localeCompare(b.name))
}

export interface CheckAppsInput {
  readonly project_id: string
  readonly ref?: string | undefined
  /** The text of a manifest that is not in the repository. */
  readonly manifest?: string | undefined
}

/** Says what this platform would make of the apps of a ref, or of a manifest at hand. Nothing is written. */
export async function checkApps(ctx: Reading, input: CheckAppsInput) {
  const { project_id, ref, manifest } = input
  const project = await requireApps(ctx, project_id, 'project.app.read')
  if (manifest !== undefined && ref !== undefined)
    throw new ServiceError('invalid_request', '`ref` and `manifest` are both given; give one of them', {
      issues: [{ path: 'ref', message: 'stands beside `manifest`; keep one' }],
    })
  const { provider } = await platformRules(ctx.db)
  if (manifest !== undefined) {
    if (manifest.length > manifestLimits.bytes)
      throw new ServiceError(
        'payload_too_large',
        `The manifest is larger than ${manifestLimits.bytes} bytes; make it smaller`,
      )
    return {
      provider,
      apps: await judge(ctx, project, declaredIn(readManifest({ path: 'svc.yaml', text: manifest })), null),
    }
  }
  const repository = await openRepository(ctx, project)
  const commit_sha = await resolveCommit(repository, ref ?? project.default_branch)
  return { provider, apps: await judgeApps(ctx, project, repository, commit_sha) }
}
