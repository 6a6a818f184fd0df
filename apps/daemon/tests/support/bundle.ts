import { join } from 'node:path'
import type { BuiltRuntime } from '@svc/facts'
import { build } from 'tsup'
import { onceARun } from '../../../../scripts/once-a-run.ts'
import { runtimeBuilds } from '../../src/runtimes/builds.ts'
import { deployable } from '../../../../tsup.base.ts'
import { daemonProgram, runtimeProgram } from '../../tsup.config.ts'

/** The path of the daemon as it is shipped. */
export async function builtDaemon(): Promise<string> {
  const folder = await onceARun('svc-agent', (outDir) =>
    build({ ...daemonProgram({ outDir, sourcemap: false, silent: true }), config: false }),
  )
  return join(folder, 'main.js')
}

/** The same daemon with a runtime of the tests' own in its registry. */
export async function builtStdioDaemon(): Promise<string> {
  const main = join(import.meta.dirname, 'stdio-runtime/stdio-daemon.ts')
  const folder = await onceARun('svc-agent-stdio', (outDir) =>
    build({
      ...daemonProgram({ outDir, sourcemap: false, silent: true, entry: { 'svc-agent-start': main } }),
      config: false,
    }),
  )
  return join(folder, 'main.js')
}

/** The path of the agent of the tests that speaks the Agent Client Protocol, a single file. */
export async function builtAcpAgent(): Promise<string> {
  const main = join(import.meta.dirname, 'acp-agent/main.ts')
  const folder = await onceARun('acp-agent', (outDir) =>
    build({ ...deployable({ entry: { main }, outDir, sourcemap: false, silent: true }), config: false }),
  )
  return join(folder, 'main.js')
}

/** The path of the program of a runtime as it is shipped, though not made small. */
export async function builtRuntime(name: BuiltRuntime): Promise<string> {
  const folder = await onceARun(`svc-${name}`, (outDir) =>
    build({ ...runtimeProgram(runtimeBuilds[name], outDir, { minify: false, silent: true }), config: false }),
  )
  return join(folder, 'main.js')
}
