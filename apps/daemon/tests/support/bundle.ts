import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { deployable } from '../../../../tsup.base.ts'

const app = fileURLToPath(new URL('../..', import.meta.url))

/** The daemon as it is shipped: one file. */
export async function buildDaemon(): Promise<{ path: string; remove(): void }> {
  const outDir = mkdtempSync(join(tmpdir(), 'svc-agent-'))
  const entry = { main: join(app, 'src/main.ts') }
  await build({ ...deployable({ entry, outDir, sourcemap: false, silent: true }), config: false })
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
