import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Out of sight at once, gone from the disk a little later. */
export async function removeRepository(git_dir: string): Promise<void> {
  const doomed = join(dirname(git_dir), `removed-${randomUUID()}`)
  const moved = await rename(git_dir, doomed).then(
    () => true,
    () => false,
  )
  if (moved) await rm(doomed, { recursive: true, force: true })
}
