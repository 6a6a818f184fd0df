import { join } from 'node:path'
import { builtEntry } from '../platform/apps.ts'
import type { Platform } from '../platform/platform.ts'
import { type Result, run } from '../platform/run.ts'

export interface SvcOptions {
  readonly project_id?: string
  readonly token?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** The built svc client as a person runs it, logged in by the file that the platform wrote at its start. */
export function svc(platform: Platform, args: readonly string[], options: SvcOptions = {}): Promise<Result> {
  const { project_id, token, cwd = platform.place.root, env = {}, input } = options
  return run(process.execPath, [builtEntry('cli'), ...args], {
    cwd,
    ...(input === undefined ? {} : { input }),
    env: {
      HOME: join(platform.place.root, 'home'),
      SVC_CONFIG_FILE: platform.place.config_file,
      NO_COLOR: '1',
      ...(project_id === undefined ? {} : { SVC_PROJECT_ID: project_id }),
      ...(token === undefined ? {} : { SVC_CLI_TOKEN: token, SVC_API_URL: `${platform.origin}/v1` }),
      ...env,
    },
  })
}
