import { access } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { proxyVariables } from '@svc/facts'

type Environment = Readonly<Record<string, string | undefined>>

/** The operator's settings that reach a registry. Nothing else of the platform's environment is npm's. */
const passed = [
  'NODE_EXTRA_CA_CERTS',
  ...proxyVariables,
  'NO_PROXY',
  'no_proxy',
  'npm_config_registry',
  'NPM_CONFIG_REGISTRY',
  'npm_config_cafile',
  'NPM_CONFIG_CAFILE',
  'npm_config_userconfig',
  'NPM_CONFIG_USERCONFIG',
]

export async function npmEnvironment(
  env: Environment,
  node: string,
  places: { readonly home: string; readonly cache: string },
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {
    PATH: [dirname(node), env['PATH']].filter(Boolean).join(delimiter),
    HOME: places.home,
    npm_config_cache: places.cache,
    npm_config_update_notifier: 'false',
  }
  for (const name of passed) {
    const value = env[name]
    if (value !== undefined && value !== '') environment[name] = value
  }
  const named = environment['npm_config_userconfig'] ?? environment['NPM_CONFIG_USERCONFIG']
  const own = named === undefined ? await settingsAtHome(env['HOME']) : null
  return own === null ? environment : { ...environment, NPM_CONFIG_USERCONFIG: own }
}

/** The operator's own settings of npm, which it would find by HOME. */
async function settingsAtHome(home: string | undefined): Promise<string | null> {
  if (home === undefined || home === '') return null
  const file = join(home, '.npmrc')
  return access(file).then(
    () => file,
    () => null,
  )
}
