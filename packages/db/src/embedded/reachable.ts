import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** True when a user who owns none of the folders can reach `path`: every existing folder above it lets others pass. */
export async function reachableByOthers(path: string): Promise<boolean> {
  for (let folder = await nearestExisting(path); ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (path === dirname(path)) throw error
    return nearestExisting(dirname(path))
  }
}
