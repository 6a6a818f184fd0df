import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces a file in one step, so that a crash leaves the old text or the new one. */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
