import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { draftOf, draftOptions, type FileOptions } from './draft.ts'

/** Gives the file this content in one step: a reader, or a crash, or a stream that breaks, meets the old or the new. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: FileOptions = {},
): Promise<void> {
  const draft = draftOf(path)
  try {
    await writeFile(draft, content, draftOptions(options))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The same before anything else happens in this process. */
export function replaceFileSync(path: string, content: string | Uint8Array, options: FileOptions = {}): void {
  const draft = draftOf(path)
  try {
    writeFileSync(draft, content, draftOptions(options))
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
