import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type RuntimeBinaryVariable, type RuntimeProgram, runtimePrograms } from '@svc/facts'
import type { ToolProgram, ToolSources } from '../shared/tools/tools.ts'

const require = createRequire(import.meta.url)

export interface ToolPaths {
  readonly agent_bundle?: string | undefined
  readonly appd_bundle?: string | undefined
  readonly cli_folder?: string | undefined
  /** The binaries of runtimes that npm has none for on this machine, by their variables. */
  readonly runtime_binaries?: RuntimeBinaries
}

type RuntimeBinaries = Readonly<Partial<Record<RuntimeBinaryVariable, string | undefined>>>

/**
 * The programs that sandboxes run: given paths, or the other builds of this checkout and the runtime that npm
 * installed.
 */
export function sandboxTools(app_dir: string, paths: ToolPaths = {}): ToolSources {
  const binaries = paths.runtime_binaries ?? {}
  return {
    node: process.execPath,
    agent_bundle: paths.agent_bundle ?? join(app_dir, '../daemon/dist/main.js'),
    appd_bundle: paths.appd_bundle ?? join(app_dir, '../appd/dist/main.js'),
    cli_folder: paths.cli_folder ?? join(app_dir, '../cli/dist'),
    runtimes: Object.fromEntries(
      Object.entries(runtimePrograms).map(([name, program]) => [name, programOf(app_dir, program, binaries)]),
    ),
    ripgrep_binary: packagedFile(app_dir, `@vscode/ripgrep-${machine}`, 'bin/rg'),
  }
}

/** The bundle that starts a container, built with this app. */
export function bootBundle(app_dir: string): string {
  return join(app_dir, '../sandbox-worker/dist/svc-boot.js')
}

/** One that was not built is null: sessions that ask for it then say that it is not there. */
export function programOf(
  app_dir: string,
  program: RuntimeProgram,
  binaries: Readonly<Record<string, string | undefined>>,
): ToolProgram | null {
  if ('npm_package' in program) {
    const given = binaries[program.binary_variable]
    return { binary: given ?? packagedBinary(app_dir, program.npm_package, program.binary) }
  }
  const folder = join(app_dir, '../daemon/dist', program.built_folder)
  return existsSync(join(folder, 'main.js')) ? { folder } : null
}

const machine = `${process.platform}-${process.arch}`

/** The binary of a runtime's package for this machine, or where it would be. */
function packagedBinary(app_dir: string, npm_package: string, path: string): string {
  const name = `${npm_package}-${machine}`
  return packagedFile(app_dir, name, path) ?? join(app_dir, 'node_modules', name, path)
}

/** A file of a package that npm installed for the daemon, when it did so for this machine. */
function packagedFile(app_dir: string, name: string, path: string): string | null {
  for (const root of [join(app_dir, '../daemon'), app_dir]) {
    try {
      const file = join(dirname(require.resolve(`${name}/package.json`, { paths: [root] })), path)
      if (existsSync(file)) return file
    } catch {
      continue
    }
  }
  return null
}
