import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const locks = fileURLToPath(new URL('../../packages/harness/locks', import.meta.url))

/** The lock files that harnesses are installed by, beside the bundle. */
export async function copyHarnessLocks(folder: string): Promise<void> {
  await cp(locks, join(folder, 'locks'), { recursive: true })
}
