import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The version of a package that is installed here, also of one that does not export its package.json. */
export function installedVersion(name: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const version = versionIn(join(folder, name, 'package.json'))
    if (version !== null) return version
  }
  throw new Error(`${name} is not installed: run "npm run setup"`)
}

function versionIn(path: string): string | null {
  try {
    const { version }: { readonly version: string } = JSON.parse(readFileSync(path, 'utf8'))
    return version
  } catch {
    return null
  }
}
