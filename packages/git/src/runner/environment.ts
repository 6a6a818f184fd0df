/** Everything a git child may see. Nothing of the parent's environment is passed on by default. */
export interface GitEnvironment {
  readonly [name: string]: string
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin'

/**
 * The environment of local commands: a private home, no system config, no prompt, no replace refs, no network.
 * Commands that talk to a remote add the one protocol they need.
 */
export function gitEnvironment(home: string, extra: Readonly<Record<string, string>> = {}): GitEnvironment {
  return {
    PATH: searchPath,
    ...extra,
    HOME: home,
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_ALLOW_PROTOCOL: '',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: `${home}/gitconfig`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** Settings for one command by environment, so that no value is ever seen in a process list. */
export function configEnvironment(
  settings: readonly (readonly [key: string, value: string])[],
): GitEnvironment {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) }
}
