import { chmod, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '@svc/files'
import { InstallError } from '../install-error.ts'
import { removeInstalled, verifyInstalled } from './installed.ts'
import { folderOf, type HarnessVersion } from './places.ts'
import { sealTree, syncFolder } from './seal.ts'

export interface Installed {
  readonly folder: string
  readonly digest: string
  /** The total size of its files. */
  readonly bytes: number
}

/** Another worker may finish, and another may remove, between a look and a rename. */
const maxTries = 5

/**
 * Seals the tree of a scratch folder and gives it its place, or uses the install that already has it. A tree of another
 * `digest` is refused.
 */
export async function settle(
  scratch: string,
  store: string,
  harness: HarnessVersion,
  options: { readonly digest?: string; readonly signal?: AbortSignal | undefined },
): Promise<Installed> {
  const { signal } = options
  const tree = join(scratch, 'tree')
  const { digest, bytes } = await sealTree(tree, harness, signal)
  if (options.digest !== undefined && options.digest !== digest)
    throw new InstallError('other', `The files have the digest ${digest}, not ${options.digest}.`)
  const folder = folderOf(store, harness, digest)
  await mkdir(dirname(folder), { recursive: true })
  // A platform may make its files for itself alone; the users of sandboxes read these.
  await chmod(dirname(folder), 0o755)
  for (let tries = 0; tries < maxTries; tries++) {
    signal?.throwIfAborted()
    if (await moved(tree, folder)) {
      await syncFolder(dirname(folder))
      await chmod(folder, 0o555)
      return { folder, digest, bytes }
    }
    if ((await verifyInstalled(folder)) === null) {
      await chmod(folder, 0o555)
      return { folder, digest, bytes }
    }
    await removeInstalled(folder)
  }
  throw new InstallError('other', `${folder} is being replaced by others again and again.`)
}

async function moved(tree: string, folder: string): Promise<boolean> {
  try {
    await rename(tree, folder)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(String(errorCode(error)))) return false
    throw error
  }
}
