import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The agent runtime's binary for this machine, or null where there is none. */
export function runtimeBinary(): string | null {
  const name = `opencode-${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'opencode')
  } catch {
    return null
  }
}
