import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The store of a machine’s harnesses: beside its sandboxes, whose users can walk to it. */
export const harnessStore = (sandboxes_root: string): string => join(sandboxes_root, '.harnesses')

/**
 * Makes the store before the first sandbox is, which sees what is installed later as well. A sandbox lists nothing in it,
 * and reads the install that it is given by name.
 */
export async function makeHarnessStore(store: string): Promise<void> {
  await mkdir(store, { recursive: true })
  await chmod(store, 0o711)
}

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
