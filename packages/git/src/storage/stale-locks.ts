import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The age of this process, on the clock that files are stamped with. */
export const processAgeMs = (): number => process.uptime() * 1_000

/**
 * Removes the lock files of a git that was killed. Git holds a lock for milliseconds, so one that is older than the
 * given age has no living owner. Object folders are left out: they hold no locks and many files.
 */
export async function clearStaleLocks(
  git_dir: string,
  { older_than_ms }: { readonly older_than_ms: number },
): Promise<string[]> {
  const limit = Date.now() - older_than_ms
  const cleared: string[] = []
  const visit = async (directory: string, deep: boolean): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(directory, entry.name)
      if (entry.isDirectory() && deep) await visit(path, true)
      if (!entry.isFile() || !entry.name.endsWith('.lock')) continue
      const found = await stat(path).catch(() => null)
      if (!found || found.mtimeMs > limit) continue
      await rm(path, { force: true })
      cleared.push(path)
    }
  }
  await visit(git_dir, false)
  await visit(join(git_dir, 'refs'), true)
  return cleared
}
