import type { BuiltRuntime } from '@svc/facts'
import type { Options } from 'tsup'
import { piBuild } from './pi/build/pi-build.ts'

/** A program of a runtime that is built with the daemon, into a folder that has the runtime's name. */
export interface RuntimeBuild {
  readonly main: string
  readonly options: Pick<Options, 'external' | 'esbuildPlugins'>
  /** The fields that are written into its package.json. */
  readonly package: { readonly name: string; readonly version: string }
  /** The environment that has it start and stand by, while its code cache is made; without one it has no cache. */
  readonly standby_env?: Readonly<Record<string, string>>
}

/** The builds of the runtimes that are built with the daemon. Read by the build alone. */
export const runtimeBuilds: Readonly<Record<BuiltRuntime, RuntimeBuild>> = {
  pi: piBuild,
}
