import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of settings with the lowest rank. */
export const ownConfig = (home: string): string => join(home, '.config', 'opencode')

/**
 * The settings of the platform that a repository's own may change. The runtime reads this file for each project, and
 * those in its own folder once for its whole life.
 */
export const baseConfig = (home: string): string => join(home, '.svc', 'agentrt.json')

/** Variables that the process reads when it starts and that no session changes. */
export function fixedEnvironment(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    OPENCODE_CONFIG: baseConfig(home),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_SHARE: '1',
  }
}

/** A model key among the session's secrets: such a session needs the runtime's own catalogue of models. */
const modelKey = /_API_(KEY|TOKEN)$/

export function needsCatalogue(hasGateway: boolean, secret_names: readonly string[]): boolean {
  return !hasGateway || secret_names.some((name) => modelKey.test(name))
}

/** An empty catalogue of models, which spares the runtime its own. */
export async function emptyCatalogue(home: string): Promise<string> {
  const path = join(home, '.svc', 'models.json')
  await mkdir(join(home, '.svc'), { recursive: true, mode: 0o700 })
  await writeFile(path, '{}\n')
  return path
}

export function serveArguments({ host, port }: { readonly host: string; readonly port: number }): string[] {
  return ['serve', '--port', `${port}`, '--hostname', host]
}
