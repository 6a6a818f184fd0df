import { mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@svc/files'
import { removeTree } from './remove-tree.ts'

const scratchRoot = (store: string): string => join(store, '.scratch')

/** The users of sandboxes, who may pass through the store, read nothing that is unfinished. */
export async function makeScratchRoot(store: string): Promise<string> {
  const scratch = scratchRoot(store)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  return scratch
}

const beatMs = 5_000
/** Work whose folder was not touched for this long has died; the row of an install is lost much sooner. */
const silentMs = 2 * 60_000

/**
 * A folder beside the installs for work that may end at any moment, removed with all that is in it. Its time is moved for
 * as long as the work goes on, which is how a sweep of any process knows it.
 */
export async function inScratch<T>(
  store: string,
  label: string,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = join(await makeScratchRoot(store), `${label}-${crypto.randomUUID()}`)
  await mkdir(join(scratch, 'tree'), { recursive: true })
  const beat = setInterval(() => {
    const now = new Date()
    void utimes(scratch, now, now).catch(() => undefined)
  }, beatMs).unref()
  try {
    return await work(scratch)
  } finally {
    clearInterval(beat)
    await removeTree(scratch)
  }
}

/**
 * Removes what work left that gives no sign of life. Returns the names of the folders that went: an npm that outlived its
 * platform may still write to one, which the next sweep removes.
 */
export async function sweepScratch(store: string, now: Date): Promise<readonly string[]> {
  const before = now.getTime() - silentMs
  const swept: string[] = []
  for (const entry of await readdir(scratchRoot(store)).catch(() => [])) {
    const folder = join(scratchRoot(store), entry)
    // An install that was moved here keeps the time at which it was made.
    const found = await stat(folder).catch(() => null)
    if (found !== null && found.mtimeMs < before && (await isRemoved(folder))) swept.push(entry)
  }
  return swept
}

/** False where something is still written to it. */
async function isRemoved(folder: string): Promise<boolean> {
  try {
    await removeTree(folder)
    return true
  } catch (error) {
    // Another sweep may be at the same folder.
    if (['ENOTEMPTY', 'ENOENT'].includes(String(errorCode(error)))) return false
    throw error
  }
}
