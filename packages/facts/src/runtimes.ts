/** Agent runtimes with a server of their own, which a manifest may name; the first is the default. */
export const manifestRuntimes = ['agentrt', 'pi'] as const

export type ManifestRuntime = (typeof manifestRuntimes)[number]

/** The runtime of every agent that speaks the Agent Client Protocol; a harness says which program that is. */
export const harnessRuntime = 'acp'

/** Every agent runtime that a sandbox may start. */
export const runtimeNames = [...manifestRuntimes, harnessRuntime] as const

export type RuntimeName = (typeof runtimeNames)[number]

export const defaultRuntime: ManifestRuntime = manifestRuntimes[0]

/** The folder of a repository that holds its agents, skills, commands and tools, where the manifest names none. */
export const defaultConfigDir = '.svc/agentrt'

/**
 * The source of a runtime's program: npm's binary for each machine, with the variable by which an operator names another
 * where npm has none; or a folder of the daemon's own build.
 */
export type RuntimeProgram =
  | { readonly npm_package: string; readonly binary: string; readonly binary_variable: string }
  | { readonly built_folder: string }

export const runtimePrograms = {
  agentrt: { npm_package: 'opencode', binary: 'bin/opencode', binary_variable: 'SVC_RUNTIME_BINARY' },
  pi: { built_folder: 'pi' },
} as const satisfies Readonly<Record<ManifestRuntime, RuntimeProgram>>

type Programs = typeof runtimePrograms

/** A runtime whose program is built with the daemon. */
export type BuiltRuntime = {
  [Name in ManifestRuntime]: Programs[Name] extends { readonly built_folder: string } ? Name : never
}[ManifestRuntime]

export type RuntimeBinaryVariable = Extract<
  Programs[ManifestRuntime],
  { readonly npm_package: string }
>['binary_variable']
