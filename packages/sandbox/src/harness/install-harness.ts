import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toInstallError } from './install-error.ts'
import { lockFiles, readLock } from './lock.ts'
import { npmCi, type NpmSettings } from './npm/run-npm.ts'
import { findInstalled, removeInstalled, verifyInstalled } from './store/installed.ts'
import type { HarnessVersion } from './store/places.ts'
import { inScratch } from './store/scratch.ts'
import { bytesOf, readSeal } from './store/seal.ts'
import { type Installed, settle } from './store/settle.ts'
import { watchSize } from './store/watch-size.ts'

export interface InstallOptions extends HarnessVersion, NpmSettings {
  /** The folder of all installs. */
  readonly store: string
  /** The folder with the package.json and the package-lock.json of this version. */
  readonly lock_folder: string
  /** Called about each second with the bytes that have been unpacked. */
  readonly onProgress?: ((bytes_done: number) => void) | undefined
}

/**
 * Installs a harness by its lock file, or uses an install of the same lock that is there and whole. It appears at its
 * place finished or not at all. Throws an InstallError, or the reason of the signal, which ends npm and leaves nothing.
 */
export async function installHarness(options: InstallOptions): Promise<Installed> {
  const { store, lock_folder, name, version, target, signal, onProgress } = options
  signal?.throwIfAborted()
  try {
    const earlier = await findInstalled(options)
    if (earlier !== null && (await verifyInstalled(earlier.folder)) === null)
      return { ...earlier, bytes: bytesOf((await readSeal(earlier.folder)).lines) }
    const lock = await readLock(lock_folder)
    const installed = await inScratch(store, `${name}-${version}`, async (scratch) => {
      const tree = join(scratch, 'tree')
      for (const file of lockFiles) await copyFile(join(lock_folder, file), join(tree, file))
      const stop = watchSize(tree, (bytes) => onProgress?.(bytes))
      try {
        await npmCi(scratch, lock, options)
      } finally {
        stop()
      }
      return await settle(scratch, store, { name, version, target }, { signal })
    })
    // A damaged one has served its sessions until now.
    if (earlier !== null && earlier.folder !== installed.folder) await removeInstalled(earlier.folder)
    return installed
  } catch (error) {
    signal?.throwIfAborted()
    throw toInstallError(error)
  }
}
