import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@svc/files'

/** Removes a folder whose folders are read-only, which nothing can be removed from. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    await makeWritable(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Another removal may be at the same folder: what is gone needs no right. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755).catch(unlessGone)
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
}

function unlessGone(error: unknown): [] {
  if (errorCode(error) === 'ENOENT') return []
  throw error
}
