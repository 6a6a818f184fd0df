import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runtimePrograms } from '@svc/facts'

const machine = `${process.platform}-${process.arch}`

/** The binaries of the runtimes that npm has for this machine, by the runtime's name. */
export function binaries(): Readonly<Record<string, string>> {
  const found = Object.entries(runtimePrograms).flatMap(([name, program]) => {
    if (!('npm_package' in program)) return []
    const path = packaged(`${program.npm_package}-${machine}`, program.binary)
    return path === null ? [] : [[name, path]]
  })
  return Object.fromEntries(found)
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
