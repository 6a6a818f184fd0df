import { readFile } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isSha } from './ref-name.ts'
import type { Repository } from '../repository.ts'

type Place = Pick<Repository, 'git_dir'>

/** A third of the time that a file handle's own reading takes. */
const read = promisify(readFile)
/** A longer list of packed refs is git's to search, which finds its way in one. */
const maxPackedBytes = 1024 * 1024

/** A loose ref always wins over a packed one, so reading its file gives git's own answer without a process. */
export async function readLooseRef({ git_dir }: Place, ref: string): Promise<string | null> {
  return read(join(git_dir, ref), 'latin1').then(shaOf, () => null)
}

/**
 * The value of a ref in the files of a repository, looked at in git's own order: null when there is none, `unclear`
 * when git has to be asked, as where refs are kept in another way.
 */
export async function readRefFiles(place: Place, ref: string): Promise<string | null | 'unclear'> {
  try {
    return shaOf(await read(join(place.git_dir, ref), 'latin1')) ?? 'unclear'
  } catch (error) {
    // A folder of this name, or a file in the place of a folder.
    if (!isMissing(error)) return 'unclear'
  }
  const packed = await readPackedRefs(place)
  if (packed === null) return 'unclear'
  const at = packed.indexOf(` ${ref}\n`)
  if (at === -1) return null
  return shaOf(packed.toString('latin1', Math.max(0, at - 40), at)) ?? 'unclear'
}

/**
 * Writes a ref that must not be there yet, by git's own protocol: the process that makes the lock file looks, fills
 * it and puts it in place. False leaves it to git, which finds out what is in the way and says so. `sha` is a commit
 * that is there.
 */
export async function createLooseRef(place: Place, ref: string, sha: string): Promise<boolean> {
  const path = join(place.git_dir, ref)
  const lock = `${path}.lock`
  const file = await open(lock, 'wx').catch(() => null)
  if (file === null) return false
  try {
    try {
      if (!(await isFree(place, ref))) throw new Error(`${ref} is taken`)
      await file.writeFile(`${sha}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(lock, path)
    return true
  } catch {
    await rm(lock, { force: true })
    return false
  }
}

/** Neither there nor the folder of another that is. */
async function isFree(place: Place, ref: string): Promise<boolean> {
  if ((await readRefFiles(place, ref)) !== null) return false
  const packed = await readPackedRefs(place)
  return packed !== null && !packed.includes(` ${ref}/`)
}

/** Null when they say nothing: too long a list, or no repository of this kind. */
async function readPackedRefs({ git_dir }: Place): Promise<Buffer | null> {
  const path = join(git_dir, 'packed-refs')
  try {
    return (await stat(path)).size > maxPackedBytes ? null : await read(path)
  } catch (error) {
    if (!isMissing(error)) return null
  }
  const heads = await stat(join(git_dir, 'refs', 'heads')).catch(() => null)
  return heads?.isDirectory() === true ? Buffer.alloc(0) : null
}

const shaOf = (text: string): string | null => (isSha(text.trimEnd()) ? text.trimEnd() : null)

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
