import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const machine = `${process.platform}-${process.arch}`

/** The agent runtime's binary for this machine, or null where there is none. */
export function runtimeBinary(): string | null {
  return packaged(`opencode-${machine}`, 'bin/opencode')
}

/** The search program of the runtime, as the platform lays it beside it. */
export function ripgrepBinary(): string | null {
  return packaged(`@vscode/ripgrep-${machine}`, 'bin/rg')
}

function packaged(name: string, path: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
  } catch {
    return null
  }
}
