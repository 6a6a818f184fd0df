import { createHash } from 'node:crypto'
import { type AppEntry, shippedFolder, sourceFolder } from '@svc/app'
import { canonicalJson } from '@svc/facts'
import { listFiles, objectSha, type Repository } from '@svc/git'
import { manifestPaths } from '@svc/manifest'
import { isPrivate } from '../build/is-private.ts'

export interface Built {
  readonly repository: Repository
  readonly commit_sha: string
  /** Every app that the commit declares. */
  readonly entries: readonly AppEntry[]
}

/** Changes with everything in the repository that a release of the entry is made of. */
export async function inputHash(built: Built, entry: AppEntry): Promise<string> {
  const { command, port, dockerfile, image, ...common } = entry
  const given = Object.entries({ command, port, dockerfile, image }).filter(([, value]) => value !== null)
  const said = { ...common, ...Object.fromEntries(given) }
  return createHash('sha256')
    .update(canonicalJson({ entry: said, tree: await sourceOf(built, entry) }))
    .digest('hex')
}

async function sourceOf(built: Built, entry: AppEntry) {
  const folder = sourceFolder(entry)
  if (folder === null) return null
  const shipped = shippedFolder(entry)
  // A build in the whole repository, of which what it makes is shipped.
  if (folder === '' && shipped !== '') return contents(built, '', foldersOfOthers(built, entry, shipped))
  return objectSha(built.repository, built.commit_sha, folder)
}

/** Folders that are another app's alone. */
function foldersOfOthers({ entries }: Built, { name }: AppEntry, shipped: string): string[] {
  return entries
    .filter((other) => other.name !== name)
    .flatMap((other) => sourceFolder(other) ?? '')
    .filter((folder) => folder !== '' && !`${shipped}/`.startsWith(`${folder}/`))
}

const forPeople = /^(?:readme|changelog|license|licence|contributing|security|code_of_conduct)(?:\.[^.]*)?$/i

/** The entries of a folder by their objects, without what no build is of: the manifest, texts for people, other apps. */
async function contents(
  built: Built,
  path: string,
  others: readonly string[],
): Promise<readonly (readonly [path: string, mode: string, sha: unknown])[]> {
  const { repository, commit_sha } = built
  const listed = (await listFiles(repository, { ref: commit_sha, path })) ?? []
  const names: readonly string[] = manifestPaths
  const kept = listed.filter(
    (entry) =>
      !isPrivate(entry.path) &&
      !others.includes(entry.path) &&
      !(path === '' && entry.type === 'file' && (names.includes(entry.name) || forPeople.test(entry.name))),
  )
  return Promise.all(
    kept.map(async (entry) => {
      const holdsOthers = others.some((other) => other.startsWith(`${entry.path}/`))
      const below = holdsOthers && entry.type === 'directory'
      return [entry.path, entry.mode, below ? await contents(built, entry.path, others) : entry.sha] as const
    }),
  )
}
