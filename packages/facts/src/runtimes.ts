/** Agent runtimes that a manifest may name; the first is the default. */
export const runtimeNames = ['agentrt', 'pi'] as const

export type RuntimeName = (typeof runtimeNames)[number]

export const defaultRuntime: RuntimeName = runtimeNames[0]

/** The folder of a repository that holds its agents, skills, commands and tools, where the manifest names none. */
export const defaultConfigDir = '.svc/agentrt'

/** The source of a runtime's program: npm's binary for each machine, or a folder of the daemon's own build. */
export type RuntimeProgram =
  { readonly npm_package: string; readonly binary: string } | { readonly built_folder: string }

export const runtimePrograms: Readonly<Record<RuntimeName, RuntimeProgram>> = {
  agentrt: { npm_package: 'opencode', binary: 'bin/opencode' },
  pi: { built_folder: 'pi' },
}
