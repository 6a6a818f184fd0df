/** The daemon's own identity, and what only it needs: never handed to the agent. */
const daemonOnly = new Set(['SVC_SANDBOX_TOKEN', 'SVC_TOKEN', 'SVC_INITIAL_PROMPT', 'SVC_INITIAL_PROMPT_ID'])

/** What the runtime and every command of the agent find in their environment. */
export interface SessionEnvironment {
  readonly current: () => Record<string, string>
  change(change: { readonly set: Readonly<Record<string, string>>; readonly unset: readonly string[] }): void
}

export function createSessionEnvironment(
  inherited: NodeJS.ProcessEnv,
  fixed: Readonly<Record<string, string>>,
): SessionEnvironment {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !daemonOnly.has(name)) values.set(name, value)
  }
  return {
    current: () => ({ ...Object.fromEntries(values), GIT_TERMINAL_PROMPT: '0', ...fixed }),
    change: ({ set, unset }) => {
      for (const name of unset) values.delete(name)
      for (const [name, value] of Object.entries(set)) values.set(name, value)
    },
  }
}
