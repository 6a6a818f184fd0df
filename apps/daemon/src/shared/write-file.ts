import { replaceFileSync } from '@svc/files'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** Replaces a file, on disk before it returns, in a folder that is made where it is missing. */
export function writeFileAtomically(path: string, text: string): void {
  makeFolder(dirname(path), 0o700)
  replaceFileSync(path, text)
}
