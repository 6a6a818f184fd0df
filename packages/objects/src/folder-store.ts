import { constants, createReadStream } from 'node:fs'
import { access, copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { draftOf, errorCode, isDraft, replaceFile } from '@svc/files'
import { objectKey } from './object-key.ts'
import type { ObjectInfo, ObjectStore } from './object-store.ts'

/**
 * Objects as files below a folder. It is made here and never again: one that is gone later is a volume that is not
 * mounted, where objects must neither seem absent nor be written.
 */
/** Few reads of the disk for a large object, and little memory for many at once. */
const chunkBytes = 256 * 1024

export async function openFolderStore(folder: string): Promise<ObjectStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pathOf = (key: string) => join(folder, objectKey(key))
  const usable = () => access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const unlessMissing = async (error: unknown): Promise<null> => {
    if (!isMissing(error)) throw error
    await usable()
    return null
  }
  return {
    async put(key, body) {
      await usable()
      await inFolder(pathOf(key), (path) => replaceFile(path, body))
    },
    async get(key, range) {
      const file = await open(pathOf(key)).catch(unlessMissing)
      if (file === null) return null
      const end = range === undefined ? undefined : range.offset + range.length - 1
      return createReadStream('', { fd: file, start: range?.offset ?? 0, end, highWaterMark: chunkBytes })
    },
    async head(key) {
      const found = await stat(pathOf(key)).catch(unlessMissing)
      return found?.isFile() ? { key, bytes: found.size, modified_at: found.mtime } : null
    },
    async *list(prefix) {
      await usable()
      yield* walk(folder, folder, prefix)
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
      await removeEmpty(dirname(pathOf(key)), folder)
    },
    async copy(from, to) {
      const source = pathOf(from)
      if ((await stat(source).catch(unlessMissing)) === null) return false
      await inFolder(pathOf(to), (path) => linkOrCopy(source, path))
      return true
    },
    check: usable,
    close() {},
  }
}

/** Another's removal may take an empty folder away between its making and the file in it. */
async function inFolder(path: string, write: (path: string) => Promise<void>, tries = 3): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await write(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT' || tries <= 1) throw error
    return inFolder(path, write, tries - 1)
  })
}

/** An object is never written in place, so that two names of one file never part. */
async function linkOrCopy(source: string, path: string): Promise<void> {
  const beside = draftOf(path)
  try {
    await link(source, beside).catch(() => copyFile(source, beside, constants.COPYFILE_EXCL))
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

async function* walk(root: string, folder: string, prefix: string): AsyncIterable<ObjectInfo> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
    const path = join(folder, entry.name)
    const key = relative(root, path).replaceAll(sep, '/')
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* walk(root, path, prefix)
    } else if (key.startsWith(prefix) && !isDraft(key)) {
      const found = await stat(path).catch(nullIfMissing)
      if (found) yield { key, bytes: found.size, modified_at: found.mtime }
    }
  }
}

async function removeEmpty(path: string, root: string): Promise<void> {
  if (!path.startsWith(root + sep)) return
  const removed = await rmdir(path).then(
    () => true,
    () => false,
  )
  if (removed) await removeEmpty(dirname(path), root)
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)))

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}
