/** The daemon's own identity, and what only it needs: never handed to the agent. */
const daemonOnly = new Set(['SVC_SANDBOX_TOKEN', 'SVC_TOKEN', 'SVC_INITIAL_PROMPT', 'SVC_INITIAL_PROMPT_ID'])

/** The provider's own where it is there from the start: no secret replaces it. */
const ofProvider = /^(HOME|LOGNAME|PATH|TMPDIR|USER|NODE_USE_ENV_PROXY|(https?|no)_proxy)$/i

export interface EnvironmentChange {
  readonly set: Readonly<Record<string, string>>
  readonly unset: readonly string[]
  /** Of the session's secrets with this change; left out when it is about something else. */
  readonly revision?: string | undefined
}

/** The variables that the runtime and every command of the agent find in their environment. */
export interface SessionEnvironment {
  readonly current: () => Record<string, string>
  /** The names of the session's secrets. */
  readonly secretNames: () => readonly string[]
  /** False when it has these secrets already, and nothing is done. */
  change(change: EnvironmentChange): boolean
}

export function createSessionEnvironment(
  inherited: NodeJS.ProcessEnv,
  fixed: Readonly<Record<string, string>>,
): SessionEnvironment {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !daemonOnly.has(name)) values.set(name, value)
  }
  const secretNames = () => namesIn(values.get('SVC_PROJECT_SECRET_NAMES'))
  const own = new Set([...values.keys()].filter((name) => ofProvider.test(name)))

  /** The daemon's own environment is what its next commands inherit. */
  function put(name: string, value: string): void {
    values.set(name, value)
    inherited[name] = value
  }

  return {
    current: () => ({ ...Object.fromEntries(values), GIT_TERMINAL_PROMPT: '0', ...fixed }),
    secretNames,
    change: ({ set, unset, revision }) => {
      if (revision !== undefined && revision === values.get('SVC_PROJECT_SECRETS_REVISION')) return false
      for (const name of unset) {
        if (own.has(name)) continue
        values.delete(name)
        delete inherited[name]
      }
      for (const [name, value] of Object.entries(set)) if (!own.has(name)) put(name, value)
      if (revision === undefined) return true
      const names = new Set([...secretNames().filter((name) => !unset.includes(name)), ...Object.keys(set)])
      put('SVC_PROJECT_SECRET_NAMES', [...names].join(','))
      put('SVC_PROJECT_SECRETS_REVISION', revision)
      return true
    },
  }
}

export function namesIn(list: string | undefined): string[] {
  return (list ?? '').split(',').filter((name) => name !== '')
}
