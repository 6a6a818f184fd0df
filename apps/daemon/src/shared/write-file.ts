import { replaceFileSync } from '@svc/files'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces a file, on disk before it returns, in a folder that is made where it is missing. */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceFileSync(path, text)
}
