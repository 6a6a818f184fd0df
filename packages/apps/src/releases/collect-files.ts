import { posix } from 'node:path'
import { listFiles, type Repository, type TreeEntry } from '@svc/git'
import { isPrivate } from '../build/is-private.ts'
import { appLimits } from '../context.ts'
import { ReleaseError } from './release-error.ts'

/** A file of a release, and the path in the repository that its bytes are at. */
export interface CollectedFile {
  readonly path: string
  readonly at: string
  readonly size: number
}

export interface Collected {
  readonly files: readonly CollectedFile[]
  /** Paths that are never shipped, with the reason. */
  readonly left_out: readonly string[]
}

/** The files of a folder at a commit that a static release ships. */
export async function collectFiles(
  repository: Repository,
  commit_sha: string,
  folder: string,
): Promise<Collected> {
  const entries = await listFiles(repository, { ref: commit_sha, path: folder, recursive: true })
  if (entries === null) throw await noFolder(repository, commit_sha, folder)
  const known = new Map(entries.map((entry) => [entry.path, entry]))
  const files: CollectedFile[] = []
  const left_out: string[] = []
  for (const entry of entries) {
    const path = folder === '' ? entry.path : entry.path.slice(folder.length + 1)
    if (entry.type === 'directory') continue
    const reason = isPrivate(path) ? 'files of this name stay private' : unusable(entry)
    if (reason !== null) left_out.push(`${path}: ${reason}`)
    else files.push({ path, at: entry.path, size: entry.size ?? 0 })
  }
  requireRoom(files, folder)
  if (known.size > 0 && files.length === 0)
    throw new ReleaseError(
      'config',
      `The folder ${named(folder)} holds no file that is shipped; name another in svc.yaml`,
    )
  return { files, left_out }
}

function unusable({ type }: TreeEntry): string | null {
  if (type === 'symlink') return 'links are not followed'
  return type === 'submodule' ? 'other repositories are not fetched' : null
}

function requireRoom(files: readonly CollectedFile[], folder: string): void {
  if (files.length > appLimits.files)
    throw new ReleaseError(
      'config',
      `The folder ${named(folder)} holds ${files.length} files, and a release at most ${appLimits.files}; ship fewer`,
    )
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > appLimits.bytes)
    throw new ReleaseError(
      'config',
      `The folder ${named(folder)} holds ${bytes} bytes, and a release at most ${appLimits.bytes}; ship less`,
    )
}

async function noFolder(repository: Repository, commit_sha: string, folder: string): Promise<ReleaseError> {
  const above = posix.dirname(folder)
  const parent = above === '.' ? '' : above
  const there = (await listFiles(repository, { ref: commit_sha, path: parent })) ?? []
  const names = there.map(({ name, type }) => (type === 'directory' ? `${name}/` : name)).slice(0, 20)
  const held = names.length === 0 ? 'nothing' : names.join(', ')
  return new ReleaseError(
    'config',
    `There is no folder ${named(folder)} at ${commit_sha.slice(0, 12)}; ${parent === '' ? 'the repository' : named(parent)} holds ${held}`,
  )
}

const named = (folder: string) => (folder === '' ? 'of the whole repository' : JSON.stringify(folder))
