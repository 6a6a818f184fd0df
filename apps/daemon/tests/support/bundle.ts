import { join } from 'node:path'
import { build } from 'tsup'
import { onceARun } from '../../../../scripts/once-a-run.ts'
import { piBuild } from '../../src/runtimes/pi/build/pi-build.ts'
import { daemonProgram, runtimeProgram } from '../../tsup.config.ts'

/** The path of the daemon as it is shipped. */
export async function builtDaemon(): Promise<string> {
  const folder = await onceARun('svc-agent', (outDir) =>
    build({ ...daemonProgram({ outDir, sourcemap: false, silent: true }), config: false }),
  )
  return join(folder, 'main.js')
}

/** The path of the program of the runtime `pi` as it is shipped, though not made small. */
export async function builtPi(): Promise<string> {
  const folder = await onceARun('svc-pi', (outDir) =>
    build({ ...runtimeProgram(piBuild, outDir, { minify: false, silent: true }), config: false }),
  )
  return join(folder, 'main.js')
}
