import type { RuntimeName } from '@svc/facts'
import type { Options } from 'tsup'
import { piBuild } from './pi/build/pi-build.ts'

/** A program of a runtime that is built with the daemon, into a folder that has the runtime's name. */
export interface RuntimeBuild {
  /** Becomes the program's `main.js`, which loads the rest. */
  readonly load: string
  readonly main: string
  readonly options: Pick<Options, 'external' | 'esbuildPlugins'>
  /** The fields that are written into its package.json. */
  readonly package: { readonly name: string; readonly version: string }
  /** The environment that has it start and wait, while its code cache is made. */
  readonly standby_env: Readonly<Record<string, string>>
}

/** The build of every runtime; null for one that comes as it is. Read by the build alone. */
export const runtimeBuilds: Readonly<Record<RuntimeName, RuntimeBuild | null>> = {
  agentrt: null,
  pi: piBuild,
}
