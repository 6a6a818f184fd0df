import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ToolSources } from '@svc/sandbox'

const require = createRequire(import.meta.url)

export interface ToolPaths {
  readonly agent_bundle?: string | undefined
  readonly cli_folder?: string | undefined
  readonly runtime_binary?: string | undefined
}

/** What sandboxes run: given paths, or the other builds of this checkout and the runtime that npm installed. */
export function sandboxTools(app_dir: string, paths: ToolPaths = {}): ToolSources {
  return {
    node: process.execPath,
    agent_bundle: paths.agent_bundle ?? join(app_dir, '../daemon/dist/main.js'),
    cli_folder: paths.cli_folder ?? join(app_dir, '../cli/dist'),
    runtime_binary: paths.runtime_binary ?? runtimeBinary(app_dir),
    pi_folder: piFolder(app_dir),
    ripgrep_binary: packagedFile(app_dir, `@vscode/ripgrep-${machine}`, 'bin/rg'),
  }
}

/** What starts a container, built with this app. */
export function bootBundle(app_dir: string): string {
  return join(app_dir, '../sandbox-worker/dist/svc-boot.js')
}

/** The second runtime, only when it is there: sessions that ask for it then say that it is not. */
function piFolder(app_dir: string): string | null {
  const folder = join(app_dir, '../daemon/dist/pi')
  return existsSync(join(folder, 'main.js')) ? folder : null
}

const machine = `${process.platform}-${process.arch}`

/** The binary of the agent runtime's package for this machine. */
function runtimeBinary(app_dir: string): string {
  const name = `opencode-${machine}`
  return packagedFile(app_dir, name, 'bin/opencode') ?? join(app_dir, `node_modules/${name}/bin/opencode`)
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
