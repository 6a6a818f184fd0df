import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'tsup'
import { daemonProgram, piServer } from '../../tsup.config.ts'

/** The daemon as it is shipped. */
export async function buildDaemon(): Promise<{ path: string; remove(): void }> {
  const outDir = mkdtempSync(join(tmpdir(), 'svc-agent-'))
  await build({ ...daemonProgram({ outDir, sourcemap: false, silent: true }), config: false })
  return { path: join(outDir, 'main.js'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}

/** The program of the runtime `pi` as it is shipped, though not made small. */
export async function buildPi(): Promise<{ path: string; remove(): void }> {
  const outDir = mkdtempSync(join(tmpdir(), 'svc-pi-'))
  await build({ ...piServer(outDir, { minify: false, silent: true }), config: false })
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
