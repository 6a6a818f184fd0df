import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@svc/files'
import { removeTree } from './remove-tree.ts'

/** The store of a machine’s harnesses: beside its sandboxes, whose users can walk to it. */
export const harnessStore = (sandboxes_root: string): string => join(sandboxes_root, '.harnesses')

/** The version of a harness, as it fits one kind of machine. */
export interface HarnessVersion {
  readonly name: string
  readonly version: string
  readonly target: string
}

const shortDigest = (digest: string): string => digest.slice(0, 12)

export const folderOf = (store: string, harness: HarnessVersion, digest: string): string =>
  join(store, harness.name, `${harness.version}-${harness.target}-${shortDigest(digest)}`)

/** The short digests of installs of this version, by the names of their folders. */
export async function shortDigestsOf(store: string, harness: HarnessVersion): Promise<readonly string[]> {
  const prefix = `${harness.version}-${harness.target}-`
  const names = await readdir(join(store, harness.name)).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((rest) => /^[0-9a-f]{12}$/.test(rest))
    .toSorted()
}

const scratchRoot = (store: string): string => join(store, '.scratch')

/** The users of sandboxes, who may pass through the store, read nothing that is unfinished. */
export async function makeScratchRoot(store: string): Promise<string> {
  const scratch = scratchRoot(store)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  return scratch
}

/** A folder beside the installs for work that may end at any moment, removed with all that is in it. */
export async function inScratch<T>(
  store: string,
  label: string,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = join(await makeScratchRoot(store), `${label}-${crypto.randomUUID()}`)
  await mkdir(join(scratch, 'tree'), { recursive: true })
  try {
    return await work(scratch)
  } finally {
    await removeTree(scratch)
  }
}

/**
 * Removes what earlier work left, but not the entries that `keep` names. Returns the names of those that went: an npm
 * that outlived its platform may still write to one, which the next sweep removes.
 */
export async function sweepScratch(
  store: string,
  keep: (entry: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(scratchRoot(store)).catch(() => [])
  const swept: string[] = []
  for (const entry of entries.filter((name) => !keep(name))) {
    const isStillWritten = await removeTree(join(scratchRoot(store), entry)).then(
      () => false,
      (error: unknown) => {
        if (errorCode(error) !== 'ENOTEMPTY') throw error
        return true
      },
    )
    if (!isStillWritten) swept.push(entry)
  }
  return swept
}
