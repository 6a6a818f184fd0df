import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, link, rm, writeFile } from 'node:fs/promises'
import { draftOf, draftOptions, type FileOptions } from './draft.ts'
import { errorCode, lacksLinks } from './error-code.ts'

/**
 * Makes a file that is not there; false when it is. A link appears with its content or not at all, and of two processes
 * one makes it. Where there are no links a copy is as exclusive, and only a crash in its midst leaves it unfinished.
 */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  options: FileOptions = {},
): Promise<boolean> {
  const draft = draftOf(path)
  try {
    await writeFile(draft, content, draftOptions(options))
    await link(draft, path).catch((error: unknown) => {
      if (!lacksLinks(error)) throw error
      return copyFile(draft, path, constants.COPYFILE_EXCL)
    })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** The same before anything else happens in this process. */
export function createFileSync(
  path: string,
  content: string | Uint8Array,
  options: FileOptions = {},
): boolean {
  const draft = draftOf(path)
  try {
    writeFileSync(draft, content, draftOptions(options))
    linkOrCopy(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function linkOrCopy(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!lacksLinks(error)) throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}
