import { chmod, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '@svc/files'
import { type HarnessVersion, folderOf, shortDigestsOf } from './places.ts'
import { removeTree } from './remove-tree.ts'
import { makeScratchRoot } from './scratch.ts'
import { headOf, parseLine, parseLinkLine, readSeal } from './seal.ts'
import { digestOf, linesOf, readTree, sealName } from './tree.ts'

export interface FoundInstall {
  readonly folder: string
  readonly digest: string
}

export interface FindInstalledOptions extends HarnessVersion {
  readonly store: string
  /** Only an install of this very lock file counts. */
  readonly lock_folder?: string | undefined
}

/** An install whose folder says that it was finished; its files are not read. */
export async function findInstalled(options: FindInstalledOptions): Promise<FoundInstall | null> {
  const { store, lock_folder } = options
  for (const short of await shortDigestsOf(store, options)) {
    const folder = folderOf(store, options, short)
    const seal = await readFile(join(folder, sealName), 'utf8').catch(() => '')
    const digest = /^[0-9a-f]{64}(?= )/.exec(seal)?.[0]
    if (digest === undefined || !digest.startsWith(short)) continue
    if (lock_folder === undefined || (await isOfLock(folder, lock_folder))) return { folder, digest }
  }
  return null
}

/** Every finished install of a store, of whatever version and kind of machine. */
export async function listInstalled(store: string): Promise<readonly (HarnessVersion & FoundInstall)[]> {
  const found: (HarnessVersion & FoundInstall)[] = []
  for (const name of (await readdir(store).catch(() => [])).toSorted()) {
    if (name.startsWith('.')) continue
    for (const entry of (await readdir(join(store, name)).catch(() => [])).toSorted()) {
      const folder = join(store, name, entry)
      const head = headOf(await readFile(join(folder, sealName), 'utf8').catch(() => ''))
      if (head?.name === name) found.push({ ...head, folder })
    }
  }
  return found
}

async function isOfLock(folder: string, lock_folder: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    [folder, lock_folder].map((place) =>
      readFile(join(place, 'package-lock.json'), 'utf8').catch(() => null),
    ),
  )
  return ours !== null && ours === theirs
}

/** Reads every file of an install. Null when all is as it was installed, else the first difference. */
export async function verifyInstalled(folder: string): Promise<string | null> {
  try {
    const seal = await readSeal(folder)
    if (!basename(folder).endsWith(`-${seal.digest.slice(0, 12)}`))
      return `${sealName} is of another install.`
    const lines = await linesOf(folder, await readTree(folder))
    return digestOf(lines) === seal.digest ? null : difference(seal.lines, lines)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return `${sealName} is missing.`
    return error instanceof Error ? error.message : String(error)
  }
}

function difference(sealed: readonly string[], found: readonly string[]): string {
  const paths = (lines: readonly string[]) =>
    new Map(lines.map((line) => [(parseLine(line) ?? parseLinkLine(line))?.path ?? line, line]))
  const after = paths(found)
  for (const [path, line] of paths(sealed)) {
    const now = after.get(path)
    if (now === undefined) return `${path} is missing.`
    if (now !== line) return `${path} has changed.`
    after.delete(path)
  }
  const [more = 'A file'] = after.keys()
  return `${more} was not installed.`
}

/** Removes an install. It leaves its place in one step, so that a crash leaves scratch and no half of it. */
export async function removeInstalled(folder: string): Promise<void> {
  const away = await moveAway(folder)
  if (away !== null) await removeTree(away)
}

/** Takes every install of a version from its place, whatever its lock file; the returned function deletes them. */
export async function detachInstalled(options: FindInstalledOptions): Promise<() => Promise<void>> {
  const { store } = options
  const gone: string[] = []
  for (const short of await shortDigestsOf(store, options)) {
    const away = await moveAway(folderOf(store, options, short))
    if (away !== null) gone.push(away)
  }
  return async () => {
    for (const away of gone) await removeTree(away)
  }
}

/** The scratch folder that an install was moved to; null when there is none. */
async function moveAway(folder: string): Promise<string | null> {
  const away = join(await makeScratchRoot(dirname(dirname(folder))), `removed-${crypto.randomUUID()}`)
  try {
    // A folder can be moved to another one only by a user who may write it.
    await chmod(folder, 0o755)
    await rename(folder, away)
    return away
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
