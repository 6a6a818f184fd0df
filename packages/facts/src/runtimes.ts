/** Agent runtimes that a manifest may name; the first is the default. */
export const runtimeNames = ['agentrt', 'pi'] as const

export type RuntimeName = (typeof runtimeNames)[number]

export const defaultRuntime: RuntimeName = runtimeNames[0]
