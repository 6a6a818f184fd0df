import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { daemonProgram, piServer } from '../../tsup.config.ts'

const app = fileURLToPath(new URL('../..', import.meta.url))

/** The daemon as it is shipped. */
export async function buildDaemon(): Promise<{ path: string; remove(): void }> {
  const outDir = mkdtempSync(join(tmpdir(), 'svc-agent-'))
  const entry = { main: join(app, 'src/main.ts') }
  await build({ ...daemonProgram({ entry, outDir, sourcemap: false, silent: true }), config: false })
  return { path: join(outDir, 'main.js'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

/** The program of the runtime `pi` as it is shipped, though not made small. */
export async function buildPi(): Promise<{ path: string; remove(): void }> {
  const outDir = mkdtempSync(join(tmpdir(), 'svc-pi-'))
  const entry = { main: join(app, 'src/runtimes/pi/server/main.ts') }
  await build({ ...piServer(outDir), entry, minify: false, silent: true, config: false })
  return { path: join(outDir, 'main.js'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

/** The agent runtime's binary for this machine, or null where there is none. */
export function runtimeBinary(): string | null {
  const name = `opencode-${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'opencode')
  } catch {
    return null
  }
}
