import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder whose folders are read-only, which nothing can be removed from. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    await makeWritable(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
}
